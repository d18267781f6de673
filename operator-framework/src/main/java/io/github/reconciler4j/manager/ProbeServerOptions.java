package io.github.reconciler4j.manager;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where probes, and measurements, are served. Immutable.
 *
 * @param host the address to listen on; {@code ""} (the default) for all
 * @param port the port (default 8081); 0 for any free one
 * @param livenessPath where liveness is answered (default {@code /healthz})
 * @param readinessPath where readiness is answered (default {@code /readyz})
 * @param metrics what to answer at {@code /metrics}, for instance {@code prometheusRegistry::scrape}; nothing by default
 * @since 0.1.0
 */
public record ProbeServerOptions(
        String host, int port, String livenessPath, String readinessPath, Optional<Supplier<String>> metrics) {

    private static final ProbeServerOptions DEFAULTS =
            new ProbeServerOptions("", 8081, "/healthz", "/readyz", Optional.empty());

    /** Checks port and paths. */
    public ProbeServerOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("'port' must be from 0 to 65535, was " + port);
        }
        checkPath("livenessPath", livenessPath);
        checkPath("readinessPath", readinessPath);
        if (livenessPath.equals(readinessPath)) {
            throw new IllegalArgumentException(
                    "'livenessPath' and 'readinessPath' must differ, both were '" + livenessPath + "'");
        }
    }

    private static void checkPath(String name, String path) {
        if (!path.matches("/.+") || path.equals("/metrics")) {
            throw new IllegalArgumentException(
                    "'" + name + "' must begin with a slash, not be the root, and not be /metrics, was '" + path + "'");
        }
    }

    /** The defaults. */
    public static ProbeServerOptions defaults() {
        return DEFAULTS;
    }

    /** The same at another address. */
    public ProbeServerOptions withAddress(String newHost, int newPort) {
        return new ProbeServerOptions(newHost, newPort, livenessPath, readinessPath, metrics);
    }

    /** The same with other paths. */
    public ProbeServerOptions withPaths(String liveness, String readiness) {
        return new ProbeServerOptions(host, port, liveness, readiness, metrics);
    }

    /** The same with measurements in Prometheus' text format at {@code /metrics}. */
    public ProbeServerOptions withMetrics(Supplier<String> scrape) {
        return new ProbeServerOptions(host, port, livenessPath, readinessPath, Optional.of(scrape));
    }
}
