package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two controllers and an administrator write the same objects in all ways, while both controllers ignore their own writes. In the end
 * each request has seen the last version that another one wrote. Then one request at a time writes, alone or with the administrator,
 * and exactly the requests are reconciled that must be. {@code -Down.seed=7 -Down.cases=1} runs one case.
 */
@Timeout(7200)
class OwnWritesRandomTests {

    private static final int FIRST = Integer.getInteger("own.seed", 0);
    private static final int CASES = Integer.getInteger("own.cases", 12);

    private static KubernetesServer server;
    private static ApiConnection connection;
    private static Client admin;

    @BeforeAll
    static void start() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
        admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @AfterAll
    static void stop() {
        connection.close();
        server.close();
    }

    @Test
    void eachRequestSeesTheLastVersionThatItDidNotWrite() {
        List<String> failed = IntStream.range(FIRST, FIRST + CASES)
                .parallel()
                .mapToObj(seed -> {
                    try {
                        new OwnWritesHistory(seed, server, admin).run();
                        return "";
                    } catch (Throwable e) {
                        return "seed " + seed + ": " + e;
                    }
                })
                .filter(failure -> !failure.isEmpty())
                .toList();
        assertThat(failed).isEmpty();
    }
}
