package io.github.reconciler4j.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.examples.WritingSteps;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory.Write;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The writes that are remembered of reconciliations: their fields without any value, and the step that wrote. */
@Timeout(180)
class RunHistoryTests {

    private static KubernetesServer server;
    private static ApiConnection connection;

    private final RunHistory history = new RunHistory();
    private final Client client =
            Client.create(connection, Scheme.create(), ClientOptions.defaults()).intercepted(history.counter());

    @BeforeAll
    static void start() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
    }

    @AfterAll
    static void stop() {
        connection.close();
        server.close();
    }

    private record TestRun(ReconcileContext context) implements ReconcileObserver.Run {
        @Override
        public String controller() {
            return "maps";
        }

        @Override
        public Optional<KindName> kind() {
            return Optional.empty();
        }

        @Override
        public Duration waited() {
            return Duration.ZERO;
        }
    }

    private List<RunHistory.Entry> run(Request request, Runnable reconciler) {
        ReconcileObserver.Scope scope = history.started(new TestRun(ReconcileContext.of(request)));
        reconciler.run();
        scope.ended(ReconcileObserver.Outcome.SUCCESS, null);
        return history.of("maps", request);
    }

    private List<Write> writes(Runnable reconciler) {
        return run(new Request("default", "one"), reconciler).get(0).requests().writes();
    }

    private static ConfigMapBuilder map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .addToLabels("app", "hunter2")
                .endMetadata()
                .addToData("hunter2", "hunter2");
    }

    @Test
    void textWhenItIsCutHasNoHalfCharacters() {
        String emoji = "\uD83D\uDE00";
        assertThat(RunHistory.cut("ab" + emoji, 4)).isEqualTo("ab" + emoji);
        assertThat(RunHistory.cut("ab" + emoji + "c", 4)).isEqualTo("ab" + emoji + "...");
        assertThat(RunHistory.cut("ab" + emoji, 3)).isEqualTo("ab...");
        assertThat(RunHistory.cut(emoji, 1)).isEqualTo("...");
        for (int before = 0; before < 4; before++) {
            String text = Texts.inOneLine("x".repeat(before) + emoji.repeat(600_000));
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
        }
    }

    @Test
    void writeHasItsFieldsWithoutValuesAndWithoutTheKeysOfData() {
        List<Write> writes = writes(() -> {
            client.apply(map("applied").build());
            client.patch(
                    map("applied").build(),
                    ObjectPatch.merge(Map.of("metadata", Map.of("annotations", Map.of("example.com/a", "hunter2")))));
            client.create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withGenerateName("secret-")
                    .endMetadata()
                    .addToStringData("hunter2", "hunter2")
                    .build());
            client.delete(map("applied").build());
        });

        assertThat(writes)
                .extracting(Write::call, Write::fields)
                .satisfiesExactly(
                        apply -> assertThat(apply.toList()).containsExactly("apply", "metadata.labels,data"),
                        patch -> assertThat(patch.toList())
                                .containsExactly("patch", "metadata.annotations.example.com/a"),
                        create -> assertThat(create.toList())
                                .containsExactly("create", "metadata.generateName,stringData"),
                        delete -> assertThat(delete.toList()).containsExactly("delete", ""));
        assertThat(writes.toString()).doesNotContain("hunter2");
    }

    @Test
    void writeHasTheMethodOfTheApplicationThatWrote() {
        assertThat(writes(WritingSteps.writing(client, map("stepped").build())))
                .singleElement()
                .extracting(Write::step)
                .isEqualTo("WritingSteps.apply");
    }

    @Test
    void writesAndRunsAreBounded() {
        Request request = new Request("default", "many");
        List<RunHistory.Entry> runs = List.of();
        client.create(map("bounded").build());
        for (int i = 0; i < RunHistory.MAX_RUNS + 3; i++) {
            runs = run(request, () -> {
                for (int j = 0; j < RunHistory.MAX_WRITES + 3; j++) {
                    client.patch(map("bounded").build(), ObjectPatch.merge(Map.of("data", Map.of("a", "b"))));
                }
            });
        }
        assertThat(runs).hasSize(RunHistory.MAX_RUNS);
        assertThat(runs.get(0).requests().count()).isEqualTo(RunHistory.MAX_WRITES + 3);
        assertThat(runs.get(0).requests().writes()).hasSize(RunHistory.MAX_WRITES);
    }

    @Test
    void requestOutsideOfAReconciliationIsNotRemembered() {
        client.create(map("outside").build());
        assertThat(history.of("maps", new Request("default", "outside"))).isEmpty();
    }
}
