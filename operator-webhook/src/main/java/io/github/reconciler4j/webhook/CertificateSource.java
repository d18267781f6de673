package io.github.reconciler4j.webhook;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.util.List;
import java.util.Map;

/**
 * Provides the certificate of a {@link WebhookServer} and renews it. One source belongs to one server. Thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * record FixedCertificate(PrivateKey key, List<X509Certificate> chain) implements CertificateSource {
 *
 *     @Override
 *     public void start(Server server) throws GeneralSecurityException {
 *         server.use(ServerCertificate.of(key, chain));
 *     }
 *
 *     @Override
 *     public void stop() {}
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface CertificateSource {

    /**
     * Provide the first certificate before the method returns, and each later one when it is there.
     *
     * @throws io.github.reconciler4j.manager.ComponentNotReadyException if there is no certificate yet; the manager tries
     *     again later
     * @throws Exception if there cannot be one
     */
    void start(Server server) throws Exception;

    /** Stop providing certificates. */
    void stop();

    /** Return the permissions that the source needs. By default there are none. */
    default List<RequiredPermission> requiredPermissions(Server server) {
        return List.of();
    }

    /** Return information for people, such as the latest failure. By default there are none. */
    default Map<String, Object> details() {
        return Map.of();
    }

    /**
     * The server, as its certificate source sees it.
     *
     * @since 0.1.0
     */
    interface Server {

        /** Return the host names and addresses that the API server uses, the most important one first. */
        List<String> hosts();

        /** Return the options of the server. */
        WebhookServerOptions options();

        /** Return the client of the manager. */
        Client client();

        /** Return the webhooks. */
        Webhooks webhooks();

        /** Return the metrics of the manager. By default nothing is measured. */
        default OperatorMetrics metrics() {
            return OperatorMetrics.NONE;
        }

        /** Use a certificate for connections from now on. */
        void use(ServerCertificate certificate);
    }
}
