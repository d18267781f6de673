package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.util.Set;
import org.junit.jupiter.api.Timeout;

/** A connection to a server that answers what the test says. */
@Timeout(120)
abstract class ApiConnectionFixture {

    static final String CONFIG_MAP = "/api/v1/namespaces/default/configmaps/foo";
    static final ApiRequest GET = ApiRequest.of("get", "GET", CONFIG_MAP);

    /** Whether a thread waits, in Java or in the operating system. */
    static boolean waits(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && Set.of("park", "poll", "read0").contains(stack[0].getMethodName());
    }

    ConnectionOptions options() {
        return ConnectionOptions.defaults();
    }

    ApiConnection open(Config config) {
        return ApiConnection.open(config, options());
    }

    ApiException failureOf(byte[] answer) {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(answer));
                ApiConnection connection = open(server.config())) {
            return (ApiException) catchThrowable(() -> connection.send(GET));
        }
    }
}
