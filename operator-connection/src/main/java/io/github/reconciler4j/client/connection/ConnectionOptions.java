package io.github.reconciler4j.client.connection;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.internal.OptionValues;
import java.util.function.Consumer;

/**
 * Options of an {@link ApiConnection}. Immutable and thread-safe.
 *
 * <!-- snippet: ConnectionUse -->
 * <pre>{@code
 * return ApiConnection.open(
 *         config,
 *         ConnectionOptions.defaults().withUserAgent("shop-operator/1.4").withMetrics(metrics));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ConnectionOptions {

    private static final ConnectionOptions DEFAULTS = new ConnectionOptions(new Values());

    private final Values values;

    private ConnectionOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static ConnectionOptions defaults() {
        return DEFAULTS;
    }

    /** Return the name of the client in the server's logs; {@code reconciler4j-operator/unknown} by default. */
    public String userAgent() {
        return values.userAgent;
    }

    /** Return the registry of the {@code rest_client_*} metrics; none by default. */
    public OperatorMetrics metrics() {
        return values.metrics;
    }

    /**
     * Return a copy of these options with the given name of the client, best {@code operator/version}.
     *
     * @throws IllegalArgumentException if it is blank or contains control characters
     */
    public ConnectionOptions withUserAgent(String userAgent) {
        if (userAgent.isBlank() || userAgent.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("'userAgent' must not be blank or contain control characters");
        }
        return change(copy -> copy.userAgent = userAgent);
    }

    /** Return a copy of these options with the given registry of metrics. */
    public ConnectionOptions withMetrics(OperatorMetrics metrics) {
        return change(copy -> copy.metrics = OperatorMetrics.guarded(metrics));
    }

    private ConnectionOptions change(Consumer<Values> change) {
        return new ConnectionOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ConnectionOptions[userAgent=" + values.userAgent + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String userAgent = "reconciler4j-operator/unknown";
        private OperatorMetrics metrics = OperatorMetrics.NONE;
    }
}
