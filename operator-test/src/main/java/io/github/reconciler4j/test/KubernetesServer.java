package io.github.reconciler4j.test;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.Faults;
import io.github.reconciler4j.test.internal.auth.Authentication;
import io.github.reconciler4j.test.internal.auth.Tokens;
import io.github.reconciler4j.test.internal.auth.User;
import io.github.reconciler4j.test.internal.http.HttpOptions;
import io.github.reconciler4j.test.internal.http.HttpServer;
import io.github.reconciler4j.test.internal.http.ServerCertificate;
import io.github.reconciler4j.test.internal.json.Json;
import io.github.reconciler4j.test.internal.storage.ObjectName;
import io.github.reconciler4j.test.internal.storage.ResourceId;
import io.github.reconciler4j.test.internal.storage.StoredObject;
import io.github.reconciler4j.test.request.RequestLog;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.standin.StandIn;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server inside this JVM, on a port of the loopback interface. It behaves towards clients as
 * kube-apiserver does; what a cluster's controllers do is not there, except that namespaces are emptied and objects
 * without owners are collected. It also misbehaves, on request.
 *
 * <pre>{@code
 * try (KubernetesServer server = KubernetesServer.start()) {
 *     Config config = server.clientConfig();
 *     server.writeKubeconfig(Path.of("kubeconfig"));
 *     server.faults().add(FaultRule.of(RequestMatch.writes(), Fault.conflict()).everyNth(3));
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads. Several servers in one JVM know nothing of each other.
 *
 * @since 0.1.0
 */
public final class KubernetesServer implements AutoCloseable {
    private static final String ADMIN = "admin";

    private final KubernetesServerBuilder settings;
    private final Tokens tokens;
    private final Cluster.Shared shared;
    private final String adminToken;
    private final Faults faults = new Faults();
    private final RequestLog requests;
    private final ChangeObservers observers = new ChangeObservers();
    private final int port;
    private final ReentrantLock stateLock = new ReentrantLock();
    /** Replaced under {@code stateLock}. */
    private volatile Cluster cluster;
    /** Replaced under {@code stateLock}; null while stopped. */
    private volatile @Nullable HttpServer http;

    KubernetesServer(KubernetesServerBuilder settings) {
        this.settings = settings;
        tokens = new Tokens(settings.clock);
        User admin = new User(ADMIN, "", List.of(User.MASTERS, User.AUTHENTICATED));
        adminToken = tokens.issue(admin);
        requests = new RequestLog(settings.requestLogSize);
        Authentication authentication = new Authentication(tokens, settings.withoutCredentials(admin));
        shared = new Cluster.Shared(tokens, authentication, faults, requests, observers);
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

    /** Returns a builder with the defaults. */
    public static KubernetesServerBuilder builder() {
        return new KubernetesServerBuilder();
    }

    /** Starts a server with the defaults. */
    public static KubernetesServer start() {
        return builder().start();
    }

    /** Returns the address, such as {@code https://127.0.0.1:40123}. */
    public String url() {
        return (settings.https ? "https" : "http") + "://127.0.0.1:" + port;
    }

    /** Returns the port; it stays the same when the server is stopped and resumed. */
    public int port() {
        return port;
    }

    /** Returns the certificate to trust, as PEM text; null when the server does not encrypt. */
    public @Nullable String certificateAuthority() {
        return settings.https ? ServerCertificate.shared().pem() : null;
    }

    /** Returns a token of the user {@code admin}, who may do everything. */
    public String adminToken() {
        return adminToken;
    }

    /** Makes a user known and returns a token that never expires. */
    public String addUser(String name, String... groups) {
        return tokens.issue(user(name, groups));
    }

    /** Makes a user known and returns a token that expires after a time, by the server's clock. */
    public String addUser(Duration validity, String name, String... groups) {
        return tokens.issue(user(name, groups), settings.clock.instant().plus(validity));
    }

    private static User user(String name, String... groups) {
        List<String> all = new java.util.ArrayList<>(List.of(groups));
        all.add(User.AUTHENTICATED);
        return new User(name, "", List.copyOf(all));
    }

    /** Makes a token invalid at once. */
    public void revokeToken(String token) {
        tokens.revoke(token);
    }

    /** Returns the configuration of a fabric8 client for the user who may do everything; each call makes a new one. */
    public Config clientConfig() {
        return clientConfig(adminToken);
    }

    /** Returns the configuration of a fabric8 client for the user of a token; each call makes a new one. */
    public Config clientConfig(String token) {
        return ClientConfigs.config(url(), token, certificateAuthority());
    }

    /**
     * Writes a kubeconfig for the user who may do everything, readable by its owner only where the file system can.
     *
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    public void writeKubeconfig(Path file) {
        ClientConfigs.writeKubeconfig(file, url(), adminToken, certificateAuthority());
    }

    /** Returns which work of a cluster's controllers and nodes this server does by itself. */
    public Set<StandIn> standIns() {
        return settings.standIns;
    }

    /** Returns the rules by which this server misbehaves; none at first. */
    public Faults faults() {
        return faults;
    }

    /** Returns what the server was asked. */
    public RequestLog requests() {
        return requests;
    }

    /**
     * Tells of every write to a resource from now on, also after {@link #restartEmpty}: in order, and before anybody else
     * can see it. A test that compares what a client saw with what happened needs this, because watches can be disturbed.
     *
     * @param group the API group, empty for the core group
     * @param plural the resource
     * @param observer is called while the server writes: it must be quick and must not ask the server
     */
    public void onChange(String group, String plural, Consumer<ServerChange> observer) {
        observers.add(new ResourceId(group, plural), observer);
    }

    /** Returns the resource version of the latest write. */
    public long resourceVersion() {
        return cluster.store.version();
    }

    /** Returns how many watches that match are open. */
    public int watches(RequestMatch match) {
        return cluster.watches.count(match);
    }

    /** Ends the open watches that match, soon, and returns how many there were. */
    public int endWatches(RequestMatch match, WatchEnd how) {
        return cluster.watches.end(match, how);
    }

    /** Closes all connections, whatever is going on in them; new ones are accepted at once. */
    public void cutConnections() {
        HttpServer now = http;
        if (now != null) {
            now.cutConnections();
        }
    }

    /** Forgets the history: watches and lists that want to go on from before now are told that it is gone. */
    public void compactHistory() {
        cluster.store.compact(cluster.store.version());
    }

    /**
     * Changes a stored object behind all rules, for example so that clients cannot decode it. Watches see the change.
     *
     * @param group the API group, empty for the core group
     * @param plural the resource
     * @param namespace the namespace, empty for cluster-scoped objects
     * @param pointer the JSON pointer of a field, such as {@code /spec/replicas}
     * @param json the value to put there, as JSON text
     * @throws IllegalArgumentException if there is no such object or parent of the field
     */
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

    /** Stops listening and closes all connections; objects stay. Does nothing when stopped. */
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

    /**
     * Listens again after {@link #stop}, on the same port. Does nothing while it runs.
     *
     * @throws IllegalStateException if somebody else took the port meanwhile
     */
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

    /** Stops, forgets all objects and the resource version, and listens again. Users, faults and the log stay. */
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

    /** Stops and listens again; objects stay. */
    public void restart() {
        stop();
        resume();
    }

    /** Stops the server: connections are closed and its threads end. Its objects are gone. Calling it again does nothing. */
    @Override
    public void close() {
        faults.clear();
        stop();
        cluster.close();
    }
}
