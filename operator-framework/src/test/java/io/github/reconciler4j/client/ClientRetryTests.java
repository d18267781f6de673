package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InternalErrorException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is tried again, and how often. */
class ClientRetryTests extends ScriptedClientFixture {

    @Test
    void retryOnConflictReadsAgain() {
        AtomicInteger patches = new AtomicInteger();
        ScriptedServer server = server((request, out) -> {
            boolean conflict = request.method().equals("PATCH") && patches.incrementAndGet() < 3;
            out.write(
                    conflict
                            ? ScriptedServer.status(409, "Conflict", "modified", "{\"name\":\"foo\"}")
                            : ScriptedServer.json(200, STORED));
        });
        Client client = client(server);

        ConfigMap result = client.retryOnConflict(ConfigMap.class, FOO, client::update);

        assertThat(result.getMetadata().getName()).isEqualTo("foo");
        assertThat(server.requests())
                .extracting(ScriptedServer.Received::method)
                .containsExactly("GET", "PATCH", "GET", "PATCH", "GET", "PATCH");
    }

    @Test
    void retryOnConflictFailsAfterFiveAttempts() {
        ScriptedServer server = server((request, out) -> out.write(
                request.method().equals("PATCH")
                        ? ScriptedServer.status(409, "Conflict", "modified", "{\"name\":\"foo\"}")
                        : ScriptedServer.json(200, STORED)));
        Client client = client(server);
        assertThatThrownBy(() -> client.retryOnConflict(ConfigMap.class, FOO, client::update))
                .isInstanceOf(ConflictException.class);
        assertThat(server.requests()).hasSize(10);
    }

    @Test
    void requestIsRetriedOnlyIfThatIsSafe() {
        byte[] unavailable = ScriptedServer.status(503, "ServiceUnavailable", "later", "{}");
        byte[] failing = ScriptedServer.status(500, "InternalError", "webhook", "{}");
        byte[] restarting = ScriptedServer.json(500, "{\"kind\":\"Status\"}", "Retry-After: 1");
        byte[] busy = ScriptedServer.status(429, "TooManyRequests", "later", "{}");
        AtomicInteger turn = new AtomicInteger();
        List<byte[]> first = new ArrayList<>();
        ScriptedServer server = server((request, out) ->
                out.write(turn.getAndIncrement() == 0 ? first.get(0) : ScriptedServer.json(200, STORED)));
        Client client = client(server);
        record Case(byte[] answer, Runnable call, boolean repeated) {}
        List<Case> cases = List.of(
                new Case(unavailable, () -> client.live().get(ConfigMap.class, FOO), true),
                new Case(unavailable, () -> client.applyUnconditionally(configMap(), ApplyOptions.defaults()), true),
                new Case(unavailable, () -> client.dryRun().create(configMap()), true),
                new Case(failing, () -> client.live().get(ConfigMap.class, FOO), false),
                new Case(failing, () -> client.applyUnconditionally(configMap(), ApplyOptions.defaults()), false),
                new Case(restarting, () -> client.live().get(ConfigMap.class, FOO), true),
                new Case(unavailable, () -> client.create(configMap()), false),
                new Case(unavailable, () -> client.update(configMap()), false),
                new Case(unavailable, () -> client.delete(configMap()), false),
                new Case(busy, () -> client.create(configMap()), true),
                new Case(busy, () -> client.update(configMap()), true));
        for (Case one : cases) {
            first.clear();
            first.add(one.answer);
            turn.set(0);
            Throwable failure = catchThrowable(one.call::run);
            if (one.repeated) {
                assertThat(failure).as("case %s", cases.indexOf(one)).isNull();
            } else {
                assertThat(failure)
                        .isInstanceOf(
                                one.answer == failing
                                        ? InternalErrorException.class
                                        : ServerUnavailableException.class);
            }
        }
    }
}
