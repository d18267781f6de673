package io.github.reconciler4j.finalizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.finalizer.Finalizers.FinalizerWriter;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@AnyKubernetesTest
class FinalizersIntegrationTests {

    private static final String ONE = "finalizers.example.io/one";
    private static final String TWO = "finalizers.example.io/two";
    private static final String THREE = "finalizers.example.io/three";
    private static final String FOREIGN = "foreign.example.io/other";

    private final ApiConnection connection;
    private final Client client;
    private final ObjectKey key;
    private final ReconcileContext context = ReconcileContext.of(new Request("", "object"));
    private final List<String> cleaned = new ArrayList<>();

    FinalizersIntegrationTests(AnyKubernetes kubernetes) {
        connection = ApiConnection.open(kubernetes.config());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        key = ObjectKey.of(kubernetes.createNamespace("finalizer"), "object");
    }

    @AfterEach
    void close() {
        live().ifPresent(object -> {
            new FinalizerWriter(client).remove(object, FinalizerNames.of(object));
            client.delete(object);
        });
        connection.close();
    }

    private ConfigMap create(String... finalizers) {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .withFinalizers(finalizers)
                .endMetadata()
                .build());
    }

    private Optional<ConfigMap> live() {
        return client.live().get(ConfigMap.class, key);
    }

    private List<String> finalizers() {
        return FinalizerNames.of(live().orElseThrow());
    }

    private Cleaner<ConfigMap> cleaning(String name) {
        return (object, context) -> {
            cleaned.add(name);
            return CleanupResult.done();
        };
    }

    private Finalizers<ConfigMap> both() {
        return Finalizers.<ConfigMap>create(client)
                .register(ONE, cleaning("one"))
                .register(TWO, cleaning("two"));
    }

    private ConfigMap deleted() {
        client.delete(Kind.of(ConfigMap.class), key, DeletionOptions.defaults());
        return live().orElseThrow();
    }

    @Test
    void reconcileWhenObjectLivesAddsAllOnceAndKeepsOthers() throws Exception {
        Finalizers<ConfigMap> finalizers = both();
        Finalizers.Outcome<ConfigMap> outcome = finalizers.reconcile(create(FOREIGN), context);
        assertThat(outcome.changed()).isTrue();
        assertThat(outcome.isBeingDeleted()).isFalse();
        assertThat(finalizers()).containsExactly(FOREIGN, ONE, TWO);
        Finalizers.Outcome<ConfigMap> again = finalizers.reconcile(outcome.object(), context);
        assertThat(again.changed()).isFalse();
        assertThat(again.object()).isSameAs(outcome.object());
        assertThat(cleaned).isEmpty();
    }

    @Test
    void reconcileWhenObjectIsStaleReadsAgainAndKeepsForeignFinalizers() throws Exception {
        ConfigMap stale = create();
        client.patch(
                stale,
                ObjectPatch.merge(
                        Map.of("metadata", Map.of("finalizers", List.of(FOREIGN)), "data", Map.of("a", "b"))));
        Finalizers.Outcome<ConfigMap> outcome = both().reconcile(stale, context);
        assertThat(finalizers()).containsExactly(FOREIGN, ONE, TWO);
        assertThat(outcome.object().getData()).containsEntry("a", "b");
    }

    @Test
    void reconcileWhenObjectIsBeingDeletedRunsInOrderAndReleasesIt() throws Exception {
        create(ONE, TWO);
        Finalizers.Outcome<ConfigMap> outcome = both().reconcile(deleted(), context);
        assertThat(outcome.isBeingDeleted()).isTrue();
        assertThat(outcome.changed()).isTrue();
        assertThat(cleaned).containsExactly("one", "two");
        assertThat(live()).isEmpty();
    }

    @Test
    void reconcileWhenOneFailsKeepsItAndRemovesTheOthers() {
        create(ONE, TWO, FOREIGN);
        ConfigMap object = deleted();
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, (failing, context) -> {
                    throw new IllegalStateException("bucket is not empty");
                })
                .register(TWO, cleaning("two"));
        FinalizationException failure =
                catchThrowableOfType(FinalizationException.class, () -> finalizers.reconcile(object, context));
        assertThat(failure)
                .hasMessage("The cleanup of ConfigMap " + key + " failed for '" + ONE
                        + "' (java.lang.IllegalStateException: bucket is not empty)")
                .hasRootCauseMessage("bucket is not empty");
        assertThat(failure.outcome().changed()).isTrue();
        assertThat(failure.outcome().isBeingDeleted()).isTrue();
        assertThat(FinalizerNames.of((ConfigMap) failure.outcome().object())).containsExactly(ONE, FOREIGN);
        assertThat(cleaned).containsExactly("two");
        assertThat(finalizers()).containsExactly(ONE, FOREIGN);
    }

    @Test
    void reconcileWhenCleanersAreNotDoneKeepsTheirFinalizersAndHasTheShortestDelay() throws Exception {
        create(ONE, TWO, THREE);
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, (object, run) -> CleanupResult.notYet(Duration.ofMinutes(1)))
                .register(TWO, cleaning("two"))
                .register(THREE, (object, run) -> CleanupResult.notYet(Duration.ofSeconds(5)));
        Finalizers.Outcome<ConfigMap> outcome = finalizers.reconcile(deleted(), context);
        assertThat(outcome.isBeingDeleted()).isTrue();
        assertThat(outcome.cleanup()).isEqualTo(CleanupResult.notYet(Duration.ofSeconds(5)));
        assertThat(outcome.result()).isEqualTo(Result.requeueAfter(Duration.ofSeconds(5)));
        assertThat(finalizers()).containsExactly(ONE, THREE);
    }

    @Test
    void reconcileWhenACleanerWaitsForAnEventHasNoDelay() throws Exception {
        create(ONE);
        Finalizers<ConfigMap> finalizers =
                Finalizers.<ConfigMap>create(client).register(ONE, (object, run) -> CleanupResult.notYet());
        assertThat(finalizers.reconcile(deleted(), context).result()).isEqualTo(Result.done());
        assertThat(finalizers()).containsExactly(ONE);
    }

    @Test
    void reconcileWhenACleanerThrowsAnErrorStillRunsTheOthers() {
        create(ONE, TWO);
        ConfigMap object = deleted();
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, (failing, run) -> {
                    throw new LinkageError("missing class");
                })
                .register(TWO, cleaning("two"));
        assertThat(catchThrowableOfType(FinalizationException.class, () -> finalizers.reconcile(object, context)))
                .hasCauseInstanceOf(LinkageError.class);
        assertThat(finalizers()).containsExactly(ONE);
    }

    @Test
    void reconcileWhenObjectIsGoneAlreadySaysSo() throws Exception {
        create(ONE);
        ConfigMap object = deleted();
        both().reconcile(object, context);
        assertThat(both().reconcile(object, context).isBeingDeleted()).isTrue();
    }

    @Test
    void reconcileWhenAnotherObjectHasTheNameByNowLeavesItAlone() throws Exception {
        ConfigMap former = create();
        client.delete(former);
        create();
        Finalizers.Outcome<ConfigMap> outcome = both().reconcile(former, context);
        assertThat(outcome.isBeingDeleted()).isTrue();
        assertThat(finalizers()).isEmpty();
    }

    @Test
    void registerWhenNameIsTakenOrNotQualifiedIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> both().register(ONE, cleaning("one")));
        assertThatIllegalArgumentException().isThrownBy(() -> both().register("plain", cleaning("one")));
    }

    @Test
    void namesWhenAddedOrRemovedReturnWhetherTheObjectChanged() {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withFinalizers(ONE, TWO, ONE)
                .endMetadata()
                .build();
        assertThat(FinalizerNames.add(object, ONE)).isFalse();
        assertThat(FinalizerNames.remove(object, ONE)).isTrue();
        assertThat(FinalizerNames.of(object)).containsExactly(TWO);
        assertThat(FinalizerNames.remove(object, ONE)).isFalse();
        assertThat(FinalizerNames.add(object, ONE)).isTrue();
        assertThat(FinalizerNames.has(object, ONE)).isTrue();
    }
}
