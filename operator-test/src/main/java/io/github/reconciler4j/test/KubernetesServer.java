package io.github.reconciler4j.test;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.Faults;
import io.github.reconciler4j.test.request.RequestLog;
import io.github.reconciler4j.test.request.RequestMatch;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server inside this JVM, on a loopback port. Its responses are those of kube-apiserver. The controllers
 * and nodes of a cluster are missing, except that the server deletes the content of deleted namespaces and collects garbage. The
 * artifact {@code reconciler4j-test-cluster} adds them. On request the server injects faults. The artifact
 * {@code reconciler4j-test-server} has to be on the class path.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * try (KubernetesServer server = KubernetesServer.start()) {
 *     Config config = server.clientConfig();
 *     server.writeKubeconfig(Path.of("kubeconfig"));
 *     server.faults()
 *             .add(FaultRule.of(RequestMatch.writes(), Fault.conflict()).everyNth(3));
 *     assertThat(config.getMasterUrl()).startsWith(server.url());
 * }
 * }</pre>
 *
 * <p>Safe for use by multiple threads. Several servers in one JVM are independent of each other.
 *
 * @since 0.1.0
 */
public interface KubernetesServer extends AutoCloseable {

    /**
     * Return a builder with the defaults.
     *
     * @throws IllegalStateException if {@code reconciler4j-test-server} is not on the class path
     */
    static KubernetesServerBuilder builder() {
        return ServiceLoader.load(KubernetesServerProvider.class, KubernetesServer.class.getClassLoader())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "The API server inside the JVM is not on the class path. Add"
                                        + " the dependency 'io.github.reconciler4j:reconciler4j-test-server', or run the tests on a real"
                                        + " API server: set 'reconciler4j.test.cluster' to 'assets' or 'context:NAME' (R4J-801)"))
                .builder();
    }

    /**
     * Start a server with the defaults.
     *
     * @throws IllegalStateException if {@code reconciler4j-test-server} is not on the class path
     */
    static KubernetesServer start() {
        return builder().start();
    }

    /** Return the URL, such as {@code https://127.0.0.1:40123}. */
    String url();

    /** Return the port. It stays the same when the server stops and resumes. */
    int port();

    /** Return the certificate to trust, as PEM text, or null if the server does not use TLS. */
    @Nullable
    String certificateAuthority();

    /** Return a token of the user {@code admin}, who may do everything. */
    String adminToken();

    /** Add a user and return a token that never expires. */
    String addUser(String name, String... groups);

    /** Add a user and return a token that expires after the given time, by the clock of the server. */
    String addUser(Duration validity, String name, String... groups);

    /** Revoke a token. */
    void revokeToken(String token);

    /**
     * Return a new configuration of a fabric8 client for the user {@code admin}. Its requests time out after a minute: the
     * client sends a request again that has timed out, and an object that is created twice exists already.
     */
    Config clientConfig();

    /** Return a new configuration of a fabric8 client for the user of the token, with the timeout of {@link #clientConfig()}. */
    Config clientConfig(String token);

    /**
     * Write a kubeconfig for the user {@code admin}. On POSIX file systems only the owner can read it.
     *
     * @throws java.io.UncheckedIOException if the file cannot be written
     */
    void writeKubeconfig(Path file);

    /** Return the clock of timestamps. */
    Clock clock();

    /**
     * Answer requests for the logs of containers with these texts, from now on. Initially the logs are empty. The server itself
     * rejects requests for containers that do not exist or have not started.
     */
    void podLogs(PodLogs logs);

    /** Return the fault rules, initially none. */
    Faults faults();

    /** Return the log of requests. */
    RequestLog requests();

    /**
     * Call the observer for every write to a resource from now on, in order and before clients can see the write, also
     * after {@link #restartEmpty}. Use it to compare what a client saw with what happened, because watches can be
     * disturbed.
     *
     * @param group the API group, empty for the core group
     * @param plural the resource
     * @param observer called by the thread that writes; it must be quick and must not send requests to the server
     */
    void onChange(String group, String plural, Consumer<ServerChange> observer);

    /** Return the resource version of the latest write. */
    long resourceVersion();

    /** Return the number of open watches that match. */
    int watches(RequestMatch match);

    /** End the open watches that match and return their number. The watches end asynchronously. */
    int endWatches(RequestMatch match, WatchEnd how);

    /** Reset all connections at once. The server accepts new connections. */
    void cutConnections();

    /** Drop the history: the server answers watches and lists that continue from an earlier version with 410. */
    void compactHistory();

    /**
     * Change a stored object without any validation, for example so that clients cannot decode it. Watches deliver the
     * change.
     *
     * @param group the API group, empty for the core group
     * @param plural the resource
     * @param namespace the namespace, empty for cluster-scoped objects
     * @param pointer the JSON pointer of a field, such as {@code /spec/replicas}
     * @param json the value of the field, as JSON text
     * @throws IllegalArgumentException if the object or the parent of the field does not exist, or the text is not JSON
     */
    void corrupt(String group, String plural, String namespace, String name, String pointer, String json);

    /** Stop listening and close all connections, but keep all objects. Stopping a stopped server has no effect. */
    void stop();

    /**
     * Listen again after {@link #stop}, on the same port. Resuming a running server has no effect.
     *
     * @throws IllegalStateException if the port is in use
     */
    void resume();

    /** Stop, delete all objects, reset the resource version, and listen again. Users, faults and the log stay. */
    void restartEmpty();

    /** Stop and listen again, but keep all objects. */
    void restart();

    /** Stop the server, end its threads and delete all objects. Closing it again has no effect. */
    @Override
    void close();
}
