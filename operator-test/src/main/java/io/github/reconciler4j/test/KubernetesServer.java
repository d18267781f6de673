package io.github.reconciler4j.test;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.internal.auth.Authentication;
import io.github.reconciler4j.test.internal.auth.Tokens;
import io.github.reconciler4j.test.internal.auth.User;
import io.github.reconciler4j.test.internal.http.HttpOptions;
import io.github.reconciler4j.test.internal.http.HttpServer;
import io.github.reconciler4j.test.internal.http.ServerCertificate;
import io.github.reconciler4j.test.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.test.internal.registry.Registry;
import io.github.reconciler4j.test.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.internal.rest.ResourceHandler;
import io.github.reconciler4j.test.internal.server.ApiServer;
import io.github.reconciler4j.test.internal.server.ServerVersion;
import io.github.reconciler4j.test.internal.storage.VersionedStore;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server inside this JVM, on a port of the loopback interface. It behaves towards clients as
 * kube-apiserver does; what a cluster's controllers do is not there, except that namespaces are emptied and objects
 * without owners are collected.
 *
 * <pre>{@code
 * try (KubernetesServer server = KubernetesServer.builder().start()) {
 *     Config config = server.clientConfig();
 *     server.writeKubeconfig(Path.of("kubeconfig"));
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads. Several servers in one JVM know nothing of each other.
 *
 * @since 0.1.0
 */
public final class KubernetesServer implements AutoCloseable {
    private static final String ADMIN = "admin";

    private final Tokens tokens;
    private final String adminToken;
    private final VersionedStore store;
    private final Lifecycle lifecycle;
    private final HttpServer http;
    private final boolean https;

    private KubernetesServer(Builder builder) {
        Clock clock = builder.clock;
        tokens = new Tokens(clock);
        User admin = new User(ADMIN, "", List.of(User.MASTERS, User.AUTHENTICATED));
        adminToken = tokens.issue(admin);
        store = new VersionedStore(builder.historySize);
        Registry registry = new Registry();
        ObjectAccess access = new ObjectAccess(store, registry, clock);
        lifecycle = new Lifecycle(access, builder.garbageCollection);
        lifecycle.begin();
        ResourceHandler resources = new ResourceHandler(access, clock, builder.bookmarkInterval);
        ApiServer server = new ApiServer(
                registry,
                new Authentication(tokens, builder.https ? null : admin),
                resources,
                new ServerVersion(1, builder.minorVersion, 0));
        https = builder.https;
        http = listen(builder, server);
    }

    private static HttpServer listen(Builder builder, ApiServer server) {
        try {
            return new HttpServer(
                    new HttpOptions(builder.port, encryption(builder), builder.maxBodyBytes, builder.workers), server);
        } catch (IOException e) {
            throw new IllegalStateException("port " + builder.port + " is taken", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting", e);
        }
    }

    private static @Nullable SslContext encryption(Builder builder) {
        return builder.https ? ServerCertificate.shared().sslContext(builder.http2) : null;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts a server with the defaults. */
    public static KubernetesServer start() {
        return builder().start();
    }

    /** Returns the address, such as {@code https://127.0.0.1:40123}. */
    public String url() {
        return (https ? "https" : "http") + "://127.0.0.1:" + http.port();
    }

    /** Returns the port. */
    public int port() {
        return http.port();
    }

    /** Returns the certificate to trust, as PEM text; null when the server does not encrypt. */
    public @Nullable String certificateAuthority() {
        return https ? ServerCertificate.shared().pem() : null;
    }

    /** Returns a token of the user who may do everything. */
    public String adminToken() {
        return adminToken;
    }

    /** Returns the configuration of a fabric8 client for the user who may do everything; each call makes a new one. */
    public Config clientConfig() {
        return ClientConfigs.config(url(), adminToken, certificateAuthority());
    }

    /**
     * Writes a kubeconfig for the user who may do everything, readable by its owner only where the file system can.
     *
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    public void writeKubeconfig(Path file) {
        ClientConfigs.writeKubeconfig(file, url(), adminToken, certificateAuthority());
    }

    /** Returns the resource version of the latest write. */
    public long resourceVersion() {
        return store.version();
    }

    /** Stops the server: connections are closed and its threads end. Its objects are gone. Calling it again does nothing. */
    @Override
    public void close() {
        lifecycle.close();
        http.close();
    }

    /** Settings of a server. For one thread. */
    public static final class Builder {
        private int port;
        private boolean https = true;
        private boolean http2 = true;
        private int historySize = 10_000;
        private int maxBodyBytes = 3 * 1024 * 1024;
        private int workers = 4;
        private int minorVersion = 33;
        private boolean garbageCollection = true;
        private Clock clock = Clock.systemUTC();
        private Duration bookmarkInterval = Duration.ofMinutes(1);

        private Builder() {}

        /** Sets the port; default 0, which takes any free one. */
        public Builder port(int newPort) {
            port = newPort;
            return this;
        }

        /**
         * Sets whether connections are encrypted; default true. Without it requests need no token and act as the user
         * who may do everything, as {@code kubectl} sends no token over a plain connection.
         */
        public Builder https(boolean on) {
            https = on;
            return this;
        }

        /** Sets whether HTTP/2 is offered on encrypted connections; default true. */
        public Builder http2(boolean on) {
            http2 = on;
            return this;
        }

        /** Sets how many changes of each resource are kept for watches that resume; default 10,000. */
        public Builder historySize(int changes) {
            historySize = changes;
            return this;
        }

        /** Sets how many bytes the body of a request may have; default 3 MiB, as on the real server. */
        public Builder maxBodyBytes(int bytes) {
            maxBodyBytes = bytes;
            return this;
        }

        /** Sets which minor version of Kubernetes 1 the server says it is; default 33. */
        public Builder minorVersion(int minor) {
            minorVersion = minor;
            return this;
        }

        /** Sets whether objects whose owners are gone are deleted; default true. */
        public Builder garbageCollection(boolean on) {
            garbageCollection = on;
            return this;
        }

        /** Sets the clock of timestamps and expiry; default the system's. Watches and delays run on real time. */
        public Builder clock(Clock newClock) {
            clock = newClock;
            return this;
        }

        /** Sets the time between two bookmarks of a watch; default one minute. */
        public Builder bookmarkInterval(Duration interval) {
            bookmarkInterval = interval;
            return this;
        }

        /**
         * Starts the server.
         *
         * @throws IllegalStateException if the port is taken
         */
        public KubernetesServer start() {
            return new KubernetesServer(this);
        }
    }
}
