package io.github.reconciler4j.manager.process;

import io.github.reconciler4j.support.internal.OptionValues;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link ProbeServer}. Immutable.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * ProbeServer.addTo(manager, ProbeServerOptions.defaults().withAddress("0.0.0.0", 8081));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ProbeServerOptions {

    private static final ProbeServerOptions DEFAULTS = new ProbeServerOptions(new Values());

    private final Values values;

    private ProbeServerOptions(Values values) {
        Objects.requireNonNull(values.host, "'host' must not be null");
        values.livenessPath = checkedPath("livenessPath", values.livenessPath);
        values.readinessPath = checkedPath("readinessPath", values.readinessPath);
        if (values.port < 0 || values.port > 65_535) {
            throw new IllegalArgumentException("'port' must be from 0 to 65535, was " + values.port);
        }
        if (values.livenessPath.equals(values.readinessPath)) {
            throw new IllegalArgumentException(
                    "'livenessPath' and 'readinessPath' must differ, both were '" + values.livenessPath + "'");
        }
        for (String path : List.of(values.livenessPath, values.readinessPath)) {
            if (values.diagnostics && path.startsWith("/debug/")) {
                throw new IllegalArgumentException(
                        "a path of a probe must not be below '/debug/' with diagnostics, was '" + path + "'");
            }
        }
        this.values = values;
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
        return values.host;
    }

    /** Return the port to listen on, 0 for any free port. The default is 8081. */
    public int port() {
        return values.port;
    }

    /** Return the path of the liveness probe. The default is {@code /healthz}. */
    public String livenessPath() {
        return values.livenessPath;
    }

    /** Return the path of the readiness probe. The default is {@code /readyz}. */
    public String readinessPath() {
        return values.readinessPath;
    }

    /** Return the supplier of the response at {@code /metrics}, empty (the default) to serve no metrics. */
    public Optional<Supplier<String>> metrics() {
        return Optional.ofNullable(values.metrics);
    }

    /**
     * Return a copy of these options with the given address.
     *
     * @param newHost {@code ""} for all addresses
     * @param newPort 0 for any free port
     * @throws IllegalArgumentException if the port is not from 0 to 65535
     */
    public ProbeServerOptions withAddress(String newHost, int newPort) {
        return change(copy -> {
            copy.host = newHost;
            copy.port = newPort;
        });
    }

    /**
     * Return a copy of these options with the given paths.
     *
     * @throws IllegalArgumentException if a path does not start with a slash, is {@code /} or {@code /metrics}, or if both
     *     are equal
     */
    public ProbeServerOptions withPaths(String liveness, String readiness) {
        return change(copy -> {
            copy.livenessPath = liveness;
            copy.readinessPath = readiness;
        });
    }

    /**
     * Return a copy of these options that serves metrics at {@code /metrics}.
     *
     * @param scrape returns the metrics in the Prometheus text format, for instance {@code prometheusRegistry::scrape}
     */
    public ProbeServerOptions withMetrics(Supplier<String> scrape) {
        return change(copy -> copy.metrics = scrape);
    }

    /** Return whether the server shows threads and recordings to clients on the same host (default false). */
    public boolean diagnostics() {
        return values.diagnostics;
    }

    /**
     * Return a copy of these options that serves, or does not serve, {@code /debug/threads} and
     * {@code /debug/recording?seconds=30} to clients on the same host, as {@code kubectl port-forward} is one. The first has the
     * stacks of the threads. The second records for up to 300 seconds, and returns what the JDK Flight Recorder has recorded, up to
     * 64 MB. A recording can contain values of system properties and environment variables.
     *
     * @throws IllegalArgumentException if a path of a probe is below {@code /debug/}
     */
    public ProbeServerOptions withDiagnostics(boolean newDiagnostics) {
        return change(copy -> copy.diagnostics = newDiagnostics);
    }

    private ProbeServerOptions change(Consumer<Values> change) {
        return new ProbeServerOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ProbeServerOptions[host=" + values.host + ", port=" + values.port + ", livenessPath="
                + values.livenessPath + ", readinessPath=" + values.readinessPath + ", metrics="
                + (values.metrics != null) + ", diagnostics=" + values.diagnostics + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String host = "";
        private int port = 8081;
        private String livenessPath = "/healthz";
        private String readinessPath = "/readyz";
        private @Nullable Supplier<String> metrics;
        private boolean diagnostics;
    }
}
