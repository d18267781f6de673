package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** The promises of the cache, held against the server inside the JVM. */
class CacheOnTestServerTests extends CachePromises {

    private final KubernetesServer server = KubernetesServer.builder()
            .rbac(true)
            .bookmarkInterval(Duration.ofMillis(200))
            .start();

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Override
    Config config() {
        return server.clientConfig();
    }

    @Override
    Config config(String user) {
        return server.clientConfig(server.addUser(user));
    }

    @Override
    Config tokenConfig() {
        return server.clientConfig(server.addUser("token", "system:masters"));
    }

    @Override
    String createNamespace() {
        return "default";
    }

    @Override
    void crash() {
        server.stop();
    }

    @Override
    void recover() {
        server.resume();
    }

    @Override
    void forgetHistory() {
        server.compactHistory();
        server.endWatches(RequestMatch.watches(), Fault.WatchEnd.EXPIRED);
    }
}
