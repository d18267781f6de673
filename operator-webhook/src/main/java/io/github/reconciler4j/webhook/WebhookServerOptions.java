package io.github.reconciler4j.webhook;

import io.github.reconciler4j.support.DnsNames;
import io.github.reconciler4j.support.internal.OptionValues;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link WebhookServer}. Immutable and thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * return WebhookServerOptions.defaults()
 *         .withPort(9443)
 *         .withService("pages", "page-operator-webhook")
 *         .withDrain(Duration.ofSeconds(5));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WebhookServerOptions {

    private static final int MAX_PORT = 65_535;
    private static final Duration DEFAULT_DRAIN = Duration.ofSeconds(5);
    private static final WebhookServerOptions DEFAULTS = new WebhookServerOptions(new Values());

    private final Values values;

    private WebhookServerOptions(Values values) {
        this.values = values;
    }

    /**
     * The Service that the API server calls. Immutable.
     *
     * @param namespace the namespace
     * @param name the name
     * @param port the port of the Service
     * @since 0.1.0
     */
    public record Service(String namespace, String name, int port) {

        /**
         * Create a reference to a Service.
         *
         * @throws IllegalArgumentException if no Service can have this namespace, name or port
         */
        public Service {
            DnsNames.checkLabel("namespace", namespace);
            DnsNames.checkLabel("name", name);
            if (port < 1 || port > MAX_PORT) {
                throw new IllegalArgumentException("'port' must be between 1 and 65535, was " + port);
            }
        }

        /** Return the host name by which the API server verifies the certificate. */
        public String host() {
            return name + "." + namespace + ".svc";
        }
    }

    /** Return the default options. They name neither a Service nor a URL, so one of them must be set. */
    public static WebhookServerOptions defaults() {
        return DEFAULTS;
    }

    /** Return the address to listen on. The default is {@code ""}: all addresses. */
    public String host() {
        return values.host;
    }

    /** Return the port to listen on. The default is 9443; 0 stands for any free port. */
    public int port() {
        return values.port;
    }

    /** Return the Service that the API server calls. */
    public Optional<Service> service() {
        return Optional.ofNullable(values.service);
    }

    /** Return the URL that the API server calls, for servers outside of the cluster. */
    public Optional<URI> url() {
        return Optional.ofNullable(values.url);
    }

    /** Return the name of the webhook configurations. The default, {@code ""}, is the name of the manager. */
    public String configurationName() {
        return values.configurationName;
    }

    /** Return the number of connections at the same time. The default is 512. */
    public int maxConnections() {
        return values.maxConnections;
    }

    /** Return whether to use virtual threads where the JVM has them. The default is false. */
    public boolean virtualThreads() {
        return values.virtualThreads;
    }

    /**
     * Return the time for which the server still answers after a stop was requested, until the endpoints of its Service have
     * been updated. The default is 5 seconds with a Service, otherwise zero.
     */
    public Duration drain() {
        return values.drain != null ? values.drain : values.service != null ? DEFAULT_DRAIN : Duration.ZERO;
    }

    /**
     * Return whether the server applies the webhook configurations, and the conversion of custom resource definitions, at start.
     * The default is false: they are installed with the operator.
     */
    public boolean apply() {
        return values.apply;
    }

    /** Return a copy of these options with the given address to listen on, {@code ""} for all. */
    public WebhookServerOptions withHost(String host) {
        return change(copy -> copy.host = host);
    }

    /**
     * Return a copy of these options with the given port to listen on.
     *
     * @throws IllegalArgumentException if it is not between 0 and 65535
     */
    public WebhookServerOptions withPort(int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("'port' must be between 0 and 65535, was " + port);
        }
        return change(copy -> copy.port = port);
    }

    /**
     * Return a copy of these options with the given Service, whose port is 443.
     *
     * @throws IllegalArgumentException if no Service can have this namespace or name
     */
    public WebhookServerOptions withService(String namespace, String name) {
        return withService(new Service(namespace, name, 443));
    }

    /** Return a copy of these options with the given Service instead of a URL. */
    public WebhookServerOptions withService(Service service) {
        return change(copy -> {
            copy.service = service;
            copy.url = null;
        });
    }

    /**
     * Return a copy of these options with the given URL instead of a Service.
     *
     * @throws IllegalArgumentException if it is not a URL with the scheme {@code https} and a host
     */
    public WebhookServerOptions withUrl(URI url) {
        if (!"https".equals(url.getScheme()) || url.getHost() == null) {
            throw new IllegalArgumentException("'url' must start with https:// and have a host, was " + url);
        }
        return change(copy -> {
            copy.url = url;
            copy.service = null;
        });
    }

    /**
     * Return a copy of these options with the given name of the webhook configurations, {@code ""} for the default.
     *
     * @throws IllegalArgumentException if no object can have this name
     */
    public WebhookServerOptions withConfigurationName(String name) {
        String checked = name.isEmpty() ? "" : DnsNames.checkSubdomain("name", name);
        return change(copy -> copy.configurationName = checked);
    }

    /**
     * Return a copy of these options with the given number of connections.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public WebhookServerOptions withMaxConnections(int maxConnections) {
        if (maxConnections < 1) {
            throw new IllegalArgumentException("'maxConnections' must be positive, was " + maxConnections);
        }
        return change(copy -> copy.maxConnections = maxConnections);
    }

    /** Return a copy of these options with or without virtual threads. */
    public WebhookServerOptions withVirtualThreads(boolean virtualThreads) {
        return change(copy -> copy.virtualThreads = virtualThreads);
    }

    /**
     * Return a copy of these options with the given time to drain.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public WebhookServerOptions withDrain(Duration drain) {
        if (drain.isNegative()) {
            throw new IllegalArgumentException("'drain' must not be negative, was " + drain);
        }
        return change(copy -> copy.drain = drain);
    }

    /** Return a copy of these options with or without applying the configurations at start. */
    public WebhookServerOptions withApply(boolean apply) {
        return change(copy -> copy.apply = apply);
    }

    private WebhookServerOptions change(Consumer<Values> change) {
        return new WebhookServerOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "WebhookServerOptions[host=" + values.host + ", port=" + values.port + ", service=" + values.service
                + ", url=" + values.url
                + ", configurationName=" + values.configurationName + ", maxConnections=" + values.maxConnections
                + ", virtualThreads="
                + values.virtualThreads + ", drain=" + drain() + ", apply=" + values.apply + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String host = "";
        private int port = 9443;
        private @Nullable Service service;
        private @Nullable URI url;
        private String configurationName = "";
        private int maxConnections = 512;
        private boolean virtualThreads;
        private @Nullable Duration drain;
        private boolean apply;
    }
}
