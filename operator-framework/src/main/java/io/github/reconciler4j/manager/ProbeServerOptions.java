package io.github.reconciler4j.manager;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link ProbeServer}. Immutable.
 *
 * @since 0.1.0
 */
public final class ProbeServerOptions {

    private static final ProbeServerOptions DEFAULTS = new ProbeServerOptions(new Draft());

    private final String host;
    private final int port;
    private final String livenessPath;
    private final String readinessPath;
    private final @Nullable Supplier<String> metrics;

    private ProbeServerOptions(Draft draft) {
        host = Objects.requireNonNull(draft.host, "'host' must not be null");
        port = draft.port;
        livenessPath = checkedPath("livenessPath", draft.livenessPath);
        readinessPath = checkedPath("readinessPath", draft.readinessPath);
        metrics = draft.metrics;
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("'port' must be from 0 to 65535, was " + port);
        }
        if (livenessPath.equals(readinessPath)) {
            throw new IllegalArgumentException(
                    "'livenessPath' and 'readinessPath' must differ, both were '" + livenessPath + "'");
        }
    }

    private static String checkedPath(String name, String path) {
        if (!path.matches("/.+") || path.equals("/metrics")) {
            throw new IllegalArgumentException(
                    "'" + name + "' must start with a slash and must not be '/' or '/metrics', was '" + path + "'");
        }
        return path;
    }

    /** Return the defaults. */
    public static ProbeServerOptions defaults() {
        return DEFAULTS;
    }

    /** Return the address to listen on, {@code ""} (the default) for all addresses. */
    public String host() {
        return host;
    }

    /** Return the port to listen on, 0 for any free port. The default is 8081. */
    public int port() {
        return port;
    }

    /** Return the path of the liveness probe. The default is {@code /healthz}. */
    public String livenessPath() {
        return livenessPath;
    }

    /** Return the path of the readiness probe. The default is {@code /readyz}. */
    public String readinessPath() {
        return readinessPath;
    }

    /** Return the supplier of the response at {@code /metrics}, empty (the default) to serve no metrics. */
    public Optional<Supplier<String>> metrics() {
        return Optional.ofNullable(metrics);
    }

    /**
     * Return a copy of these options with the given address.
     *
     * @param newHost {@code ""} for all addresses
     * @param newPort 0 for any free port
     * @throws IllegalArgumentException if the port is not from 0 to 65535
     */
    public ProbeServerOptions withAddress(String newHost, int newPort) {
        return change(draft -> {
            draft.host = newHost;
            draft.port = newPort;
        });
    }

    /**
     * Return a copy of these options with the given paths.
     *
     * @throws IllegalArgumentException if a path does not start with a slash, is {@code /} or {@code /metrics}, or if both
     *     are equal
     */
    public ProbeServerOptions withPaths(String liveness, String readiness) {
        return change(draft -> {
            draft.livenessPath = liveness;
            draft.readinessPath = readiness;
        });
    }

    /**
     * Return a copy of these options that serves metrics at {@code /metrics}.
     *
     * @param scrape returns the metrics in the Prometheus text format, for instance {@code prometheusRegistry::scrape}
     */
    public ProbeServerOptions withMetrics(Supplier<String> scrape) {
        return change(draft -> draft.metrics = scrape);
    }

    private ProbeServerOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.host = host;
        draft.port = port;
        draft.livenessPath = livenessPath;
        draft.readinessPath = readinessPath;
        draft.metrics = metrics;
        change.accept(draft);
        return new ProbeServerOptions(draft);
    }

    @Override
    public String toString() {
        return "ProbeServerOptions[host=" + host + ", port=" + port + ", livenessPath=" + livenessPath
                + ", readinessPath=" + readinessPath + ", metrics=" + (metrics != null) + "]";
    }

    private static final class Draft {
        private String host = "";
        private int port = 8081;
        private String livenessPath = "/healthz";
        private String readinessPath = "/readyz";
        private @Nullable Supplier<String> metrics;
    }
}
