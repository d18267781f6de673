package io.github.reconciler4j.test.server.internal;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.PodLogs;
import io.github.reconciler4j.test.ServerChange;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.control.RequestRecorder;
import io.github.reconciler4j.test.server.internal.http.HttpOptions;
import io.github.reconciler4j.test.server.internal.http.HttpServer;
import io.github.reconciler4j.test.server.internal.http.ServerCertificate;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server in this JVM. Safe for use by multiple threads. */
final class InMemoryServer implements KubernetesServer {
    private final InMemoryServerBuilder settings;
    private final Cluster.Shared shared;
    private final int port;
    private final ReentrantLock stateLock = new ReentrantLock();
    /** Replaced under {@code stateLock}. */
    private volatile Cluster cluster;
    /** Replaced under {@code stateLock}; null while stopped. */
    private volatile @Nullable HttpServer http;

    InMemoryServer(InMemoryServerBuilder settings) {
        this.settings = settings;
        shared = Cluster.Shared.create(settings);
        cluster = new Cluster(settings, shared);
        HttpServer listener = listen(settings.port);
        http = listener;
        port = listener.port();
    }

    private HttpServer listen(int onPort) {
        SslContext encryption = settings.https ? ServerCertificate.shared().sslContext(settings.http2) : null;
        HttpOptions options = new HttpOptions(onPort, encryption, settings.maxBodyBytes, settings.workers);
        try {
            return new HttpServer(options, (request, reply) -> cluster.server.handle(request, reply));
        } catch (IOException e) {
            throw new IllegalStateException("port " + onPort + " is taken", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting", e);
        }
    }

    @Override
    public String url() {
        return (settings.https ? "https" : "http") + "://127.0.0.1:" + port;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public @Nullable String certificateAuthority() {
        return settings.https ? ServerCertificate.shared().pem() : null;
    }

    @Override
    public String adminToken() {
        return shared.adminToken();
    }

    @Override
    public String addUser(String name, String... groups) {
        return shared.tokens().issue(user(name, groups));
    }

    @Override
    public String addUser(Duration validity, String name, String... groups) {
        return shared.tokens()
                .issue(user(name, groups), settings.clock.instant().plus(validity));
    }

    private static User user(String name, String... groups) {
        List<String> all = new ArrayList<>(List.of(groups));
        all.add(User.AUTHENTICATED);
        return new User(name, "", List.copyOf(all));
    }

    @Override
    public void revokeToken(String token) {
        shared.tokens().revoke(token);
    }

    @Override
    public Config clientConfig() {
        return clientConfig(adminToken());
    }

    @Override
    public Config clientConfig(String token) {
        return ClientConfigs.config(url(), token, certificateAuthority());
    }

    @Override
    public void writeKubeconfig(Path file) {
        ClientConfigs.writeKubeconfig(file, url(), adminToken(), certificateAuthority());
    }

    @Override
    public Clock clock() {
        return settings.clock;
    }

    @Override
    public void podLogs(PodLogs logs) {
        shared.logs().set(Objects.requireNonNull(logs, "logs"));
    }

    @Override
    public FaultRules faults() {
        return shared.faults();
    }

    @Override
    public RequestRecorder requests() {
        return shared.log();
    }

    @Override
    public void onChange(String group, String plural, Consumer<ServerChange> observer) {
        shared.observers().add(new ResourceId(group, plural), observer);
    }

    @Override
    public long resourceVersion() {
        return cluster.store.version();
    }

    @Override
    public int watches(RequestMatch match) {
        return cluster.watches.count(match);
    }

    @Override
    public int endWatches(RequestMatch match, WatchEnd how) {
        return cluster.watches.end(match, how);
    }

    @Override
    public void cutConnections() {
        HttpServer now = http;
        if (now != null) {
            now.cutConnections();
        }
    }

    @Override
    public void compactHistory() {
        cluster.store.compact(cluster.store.version());
    }

    @Override
    public void corrupt(String group, String plural, String namespace, String name, String pointer, String json) {
        ResourceId resource = new ResourceId(group, plural);
        ObjectName place = new ObjectName(namespace, name);
        while (true) {
            StoredObject stored = cluster.store.get(resource, place);
            if (stored == null) {
                throw new IllegalArgumentException("no " + resource + " " + place.key());
            }
            ObjectNode tree = stored.tree();
            set(tree, JsonPointer.compile(pointer), json);
            if (cluster.store.put(resource, place, stored, tree) != null) {
                return;
            }
        }
    }

    private static void set(ObjectNode tree, JsonPointer pointer, String json) {
        if (!(tree.at(pointer.head()) instanceof ObjectNode parent)) {
            throw new IllegalArgumentException("no object at " + pointer.head());
        }
        try {
            parent.set(pointer.last().getMatchingProperty(), Json.parse(json.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON", e);
        }
    }

    @Override
    public void stop() {
        stateLock.lock();
        try {
            HttpServer now = http;
            http = null;
            if (now != null) {
                now.close();
            }
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public void resume() {
        stateLock.lock();
        try {
            if (http == null) {
                http = listen(port);
            }
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public void restartEmpty() {
        stateLock.lock();
        try {
            stop();
            cluster.close();
            cluster = new Cluster(settings, shared);
            resume();
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public void restart() {
        stop();
        resume();
    }

    @Override
    public void close() {
        shared.faults().clear();
        stop();
        cluster.close();
    }

    /** Client configurations and kubeconfig files. */
    private static final class ClientConfigs {
        private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);

        private ClientConfigs() {}

        static Config config(String url, String token, @Nullable String authority) {
            ConfigBuilder builder = new ConfigBuilder(Config.empty())
                    .withMasterUrl(url)
                    .withOauthToken(token)
                    .withNamespace("default")
                    .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
                    .withTrustCerts(false);
            if (authority != null) {
                builder.withCaCertData(encoded(authority));
            }
            return builder.build();
        }

        static void writeKubeconfig(Path file, String url, String token, @Nullable String authority) {
            String trust = authority == null ? "" : "\n    certificate-authority-data: " + encoded(authority);
            String text = """
                    apiVersion: v1
                    kind: Config
                    clusters:
                    - name: reconciler4j
                      cluster:
                        server: %s%s
                    users:
                    - name: admin
                      user:
                        token: %s
                    contexts:
                    - name: reconciler4j
                      context:
                        cluster: reconciler4j
                        user: admin
                        namespace: default
                    current-context: reconciler4j
                    """.formatted(url, trust, token);
            try {
                Files.deleteIfExists(file);
                create(file);
                Files.writeString(file, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void create(Path file) throws IOException {
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            } else {
                Files.createFile(file);
            }
        }

        private static String encoded(String pem) {
            return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
        }
    }
}
