package io.github.reconciler4j.spring.autoconfigure;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of webhooks.
 *
 * @param enabled Whether to serve the webhooks of the application.
 * @param host Address to listen on. Defaults to all addresses.
 * @param port Port to listen on.
 * @param url URL that the API server calls, for operators outside of the cluster. Defaults to the Service.
 * @param serviceName Name of the Service that the API server calls. Defaults to the name of the operator and '-webhook'.
 * @param serviceNamespace Namespace of the Service. Defaults to the namespace of the operator.
 * @param servicePort Port of the Service.
 * @param configurationName Name of the webhook configurations. Defaults to the name of the operator.
 * @param applyConfigurations Whether the operator creates and updates the webhook configurations at startup.
 * @param cleanUp Whether the application only stops the API server from calling its webhooks, and ends. For the time before
 *     the operator is uninstalled.
 * @param validateConstraints Whether the constraints of Jakarta Validation on the classes of custom resources are checked by a
 *     webhook.
 * @param maxConnections Maximum number of open connections.
 * @param drain Time for which the server still answers at shutdown. Defaults to 5 seconds with a Service.
 * @param certificates Certificates of the server.
 */
@ConfigurationProperties(WebhookProperties.PREFIX)
record WebhookProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String host,
        @DefaultValue("9443") int port,
        @Nullable URI url,
        @Nullable String serviceName,
        @Nullable String serviceNamespace,
        @DefaultValue("443") int servicePort,
        @Nullable String configurationName,
        @DefaultValue("false") boolean applyConfigurations,
        @DefaultValue("false") boolean cleanUp,
        @DefaultValue("true") boolean validateConstraints,
        @DefaultValue("512") int maxConnections,
        @Nullable Duration drain,
        @DefaultValue Certificates certificates) {

    static final String PREFIX = "reconciler4j.webhook";

    /**
     * Certificates of the server.
     *
     * @param directory Folder with the files tls.crt and tls.key, for instance of cert-manager. By default, the operator issues
     *     its certificates.
     * @param sslBundle Name of an SSL bundle to use. By default, the operator issues its certificates.
     * @param secretName Name of the Secret with the certificate authority of the operator. Defaults to the name of the webhook
     *     configurations and '-webhook-ca'.
     * @param secretNamespace Namespace of the Secret. Defaults to the namespace of the Service.
     * @param authorityLife Life of a certificate authority, which is replaced after two thirds of it.
     * @param certificateLife Life of a server certificate, which is replaced after two thirds of it.
     */
    record Certificates(
            @Nullable Path directory,
            @Nullable String sslBundle,
            @Nullable String secretName,
            @Nullable String secretNamespace,
            @DefaultValue("365d") Duration authorityLife,
            @DefaultValue("7d") Duration certificateLife) {}
}
