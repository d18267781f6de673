package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.internal.request.DryRunRecorder;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Options of a {@link Client}. Immutable and thread-safe.
 *
 * <!-- snippet: ClientSettings -->
 * <pre>{@code
 * return ClientOptions.defaults()
 *         .withTimeout(Duration.ofSeconds(10))
 *         .withThrottle(Throttle.off().withRate(50, 100).withMaxConcurrent(20))
 *         .withUncached(Secret.class);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ClientOptions {

    static final int MAX_FIELD_MANAGER_LENGTH = 128;

    private static final ClientOptions DEFAULTS = new ClientOptions(new Values());

    private final Values values;

    private ClientOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return the field manager of all writes. Empty by default: writes on the threads of a controller use the name of the
     * controller, other writes use the name of the manager, or {@code operator} for a client without a manager.
     */
    public Optional<String> fieldManager() {
        return values.fieldManager;
    }

    /** Return how the server treats unknown fields; empty (the default) for the server's default, which is to warn. */
    public Optional<FieldValidation> fieldValidation() {
        return values.fieldValidation;
    }

    /** Return whether writes take effect; {@link WriteMode#NORMAL} by default. */
    public WriteMode mode() {
        return values.mode;
    }

    /** Return the observer of writes in {@link WriteMode#OBSERVE}; logs them by default. */
    public WriteObserver writeObserver() {
        return values.writeObserver;
    }

    /** Return the time limit of one request; 30 seconds by default. */
    public Duration timeout() {
        return values.timeout;
    }

    /** Return the limits of rate and concurrency; off by default, since API servers protect themselves. */
    public Throttle throttle() {
        return values.throttle;
    }

    /** Return the interceptors of each request, the outermost first; none by default. */
    public List<ClientInterceptor> interceptors() {
        return values.interceptors;
    }

    /** Return the kinds that are always read from the API server; none by default. */
    public Set<KindName> uncached() {
        return values.uncached;
    }

    /**
     * Return a copy of these options with the given field manager for the writes of all threads.
     *
     * @throws IllegalArgumentException if the name is blank or longer than 128 characters
     */
    public ClientOptions withFieldManager(String fieldManager) {
        return change(copy -> copy.fieldManager = Optional.of(checkFieldManager(fieldManager)));
    }

    /** Return a copy of these options with the given treatment of unknown fields. */
    public ClientOptions withFieldValidation(FieldValidation validation) {
        return change(copy -> copy.fieldValidation = Optional.of(validation));
    }

    /** Return a copy of these options with the given mode. */
    public ClientOptions withMode(WriteMode mode) {
        return change(copy -> copy.mode = mode);
    }

    /** Return a copy of these options with the given observer of writes in {@link WriteMode#OBSERVE}. */
    public ClientOptions withWriteObserver(WriteObserver observer) {
        return change(copy -> copy.writeObserver = observer);
    }

    /**
     * Return a copy of these options with the given time limit of one request.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ClientOptions withTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("'timeout' must be positive, was " + timeout);
        }
        return change(copy -> copy.timeout = timeout);
    }

    /** Return a copy of these options with the given limits of rate and concurrency. */
    public ClientOptions withThrottle(Throttle throttle) {
        return change(copy -> copy.throttle = throttle);
    }

    /** Return a copy of these options with the given interceptors, the outermost first, instead of the current ones. */
    public ClientOptions withInterceptors(List<ClientInterceptor> interceptors) {
        return change(copy -> copy.interceptors = List.copyOf(interceptors));
    }

    /** Return a copy of these options that reads the given kinds from the API server, instead of the current ones. */
    public ClientOptions withUncached(Set<KindName> kinds) {
        return change(copy -> copy.uncached = Set.copyOf(kinds));
    }

    /**
     * Return a copy of these options that reads the kinds of the given classes from the API server, instead of the current
     * ones.
     *
     * @throws IllegalArgumentException if a class does not declare its kind
     */
    @SafeVarargs
    public final ClientOptions withUncached(Class<? extends HasMetadata>... types) {
        Set<KindName> kinds = new HashSet<>();
        for (Class<? extends HasMetadata> type : types) {
            kinds.add(KindName.of(type));
        }
        return withUncached(kinds);
    }

    static String checkFieldManager(String name) {
        if (name.isBlank() || name.length() > MAX_FIELD_MANAGER_LENGTH) {
            throw new IllegalArgumentException(
                    "'fieldManager' must have 1 to " + MAX_FIELD_MANAGER_LENGTH + " characters, was '" + name + "'");
        }
        return name;
    }

    private ClientOptions change(Consumer<Values> change) {
        return new ClientOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ClientOptions[fieldManager=" + values.fieldManager + ", fieldValidation=" + values.fieldValidation
                + ", mode=" + values.mode
                + ", timeout=" + values.timeout + ", throttle=" + values.throttle + ", interceptors="
                + values.interceptors.size()
                + ", uncached=" + values.uncached + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Optional<String> fieldManager = Optional.empty();
        private Optional<FieldValidation> fieldValidation = Optional.empty();
        private WriteMode mode = WriteMode.NORMAL;
        private WriteObserver writeObserver = new DryRunRecorder.Log();
        private Duration timeout = ApiRequest.DEFAULT_TIMEOUT;
        private Throttle throttle = Throttle.off();
        private List<ClientInterceptor> interceptors = List.of();
        private Set<KindName> uncached = Set.of();
    }
}
