package io.github.reconciler4j.finalizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of cleaners together with failures of the server. */
@Timeout(60)
class FinalizersTests {

    private static final String ONE = "finalizers.example.io/one";
    private static final String TWO = "finalizers.example.io/two";
    private static final String THREE = "finalizers.example.io/three";

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    private final ReconcileContext context = ReconcileContext.of(new Request("default", "object"));

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private ConfigMap deleted(String... finalizers) {
        ConfigMap object = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("object")
                .withFinalizers(finalizers)
                .endMetadata()
                .build());
        client.delete(object);
        return client.live().get(ConfigMap.class, "default", "object").orElseThrow();
    }

    private void refusePatches() {
        server.faults().add(FaultRule.of(RequestMatch.verbs("patch"), Fault.internalError()));
    }

    private static Cleaner<ConfigMap> throwing(RuntimeException failure) {
        return (object, context) -> {
            throw failure;
        };
    }

    private FinalizationException failureOf(Finalizers<ConfigMap> finalizers, ConfigMap object) {
        return catchThrowableOfType(FinalizationException.class, () -> finalizers.reconcile(object, context));
    }

    @Test
    void reconcileWhenACleanerFailsAndTheOthersCannotBeRemovedReportsBoth() {
        ConfigMap object = deleted(ONE, TWO, THREE);
        refusePatches();
        IllegalStateException first = new IllegalStateException("bucket is not empty");
        IllegalStateException second = new IllegalStateException("queue is not empty");
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, throwing(first))
                .register(TWO, (done, context) -> CleanupResult.done())
                .register(THREE, throwing(second));
        FinalizationException failure = failureOf(finalizers, object);
        assertThat(failure)
                .hasMessageContaining("failed for '" + ONE + "' (" + first + "), '" + THREE + "' (" + second + ")")
                .hasMessageContaining("'" + TWO + "' could not be removed")
                .hasCause(first);
        assertThat(failure.getSuppressed()).hasSize(2).contains(second);
        assertThat(failure.getSuppressed()[1]).isInstanceOf(ApiException.class);
        assertThat(failure.outcome().changed()).isFalse();
        assertThat(failure.outcome().isBeingDeleted()).isTrue();
        assertThat(failure.outcome().cleanup().isDone()).isFalse();
        assertThat(failure.outcome().object()).isSameAs(object);
    }

    @Test
    void reconcileWhenACleanerFailsReportsWhatWasRemoved() {
        ConfigMap object = deleted(ONE, TWO);
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, throwing(new IllegalStateException("bucket is not empty")))
                .register(TWO, (done, context) -> CleanupResult.done());
        Finalizers.Outcome<?> outcome = failureOf(finalizers, object).outcome();
        assertThat(outcome.changed()).isTrue();
        assertThat(FinalizerNames.of((ConfigMap) outcome.object())).containsExactly(ONE);
    }

    @Test
    void reconcileWhenOnlyOneFailureIsTerminalCanBeRetried() {
        ConfigMap object = deleted(ONE, TWO);
        TerminalException terminal = new TerminalException("no such bucket");
        IllegalStateException other = new IllegalStateException("queue is not empty");
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, throwing(terminal))
                .register(TWO, throwing(other));
        assertThat(failureOf(finalizers, object)).hasCause(other).hasSuppressedException(terminal);
    }

    @Test
    void reconcileWhenACleanerFailsForGoodAndTheOthersCannotBeRemovedCanBeRetried() {
        ConfigMap object = deleted(ONE, TWO);
        refusePatches();
        TerminalException terminal = new TerminalException("no such bucket");
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, throwing(terminal))
                .register(TWO, (done, context) -> CleanupResult.done());
        assertThat(failureOf(finalizers, object))
                .hasCauseInstanceOf(ApiException.class)
                .hasSuppressedException(terminal);
    }

    @Test
    void reconcileWhenOnlyTheRemovalFailsThrowsItsFailure() {
        ConfigMap object = deleted(ONE);
        refusePatches();
        Finalizers<ConfigMap> finalizers =
                Finalizers.<ConfigMap>create(client).register(ONE, (done, context) -> CleanupResult.done());
        assertThat(catchThrowableOfType(ApiException.class, () -> finalizers.reconcile(object, context)))
                .isNotNull();
    }

    private Finalizers<ConfigMap> oneAndThree() {
        return Finalizers.<ConfigMap>create(client)
                .register(ONE, (object, its) -> CleanupResult.done())
                .register(THREE, (object, its) -> CleanupResult.done());
    }

    private ObjectHeader created(String... finalizers) {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("object")
                .withFinalizers(finalizers)
                .endMetadata()
                .build());
        return header();
    }

    private ObjectHeader header() {
        return client.live()
                .get(Kind.of(ConfigMap.class).metadata(), ObjectKey.of("default", "object"))
                .orElseThrow();
    }

    @Test
    void releaseRemovesItsOwnFinalizersFromExactlyThisVersion() {
        ObjectHeader stale = created(ONE, TWO, THREE);
        client.patch(
                client.live().get(ConfigMap.class, "default", "object").orElseThrow(),
                ObjectPatch.merge(Map.of("data", Map.of("changed", "since"))));
        assertThatThrownBy(() -> oneAndThree().release(Kind.of(ConfigMap.class), stale))
                .isInstanceOf(ConflictException.class);
        assertThat(header().finalizers()).containsExactly(ONE, TWO, THREE);

        assertThat(oneAndThree().release(Kind.of(ConfigMap.class), header())).isTrue();
        assertThat(header().finalizers()).containsExactly(TWO);

        String version = header().resourceVersion();
        assertThat(oneAndThree().release(Kind.of(ConfigMap.class), header()))
                .as("it has none of them")
                .isTrue();
        assertThat(header().resourceVersion()).isEqualTo(version);
    }

    @Test
    void releaseWhenTheObjectIsGoneReturnsFalse() {
        ObjectHeader header = created(ONE);
        client.patch(
                client.live().get(ConfigMap.class, "default", "object").orElseThrow(),
                ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
        client.delete(client.live().get(ConfigMap.class, "default", "object").orElseThrow());
        assertThat(oneAndThree().release(Kind.of(ConfigMap.class), header)).isFalse();
    }

    /** The cache can be late: the object that it has is gone, and another one has its name. */
    @Test
    void reconcileWhenAnotherObjectHasTakenTheNameLeavesThatAlone() throws Exception {
        ConfigMap before = deleted(ONE);
        client.patch(before, ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
        created(ONE);
        Finalizers.Outcome<ConfigMap> outcome = oneAndThree().reconcile(before, context);
        assertThat(outcome.isBeingDeleted()).isTrue();
        assertThat(header().finalizers()).containsExactly(ONE);

        before.getMetadata().setDeletionTimestamp(null);
        assertThat(oneAndThree().reconcile(before, context).isBeingDeleted()).isTrue();
        assertThat(header().finalizers()).containsExactly(ONE);
    }

    /** The API server refuses new finalizers of an object that is marked for deletion. */
    @Test
    void reconcileWhenTheObjectWasDeletedMeanwhileAddsNothing() throws Exception {
        created(ONE);
        ConfigMap before =
                client.live().get(ConfigMap.class, "default", "object").orElseThrow();
        client.delete(before);
        Finalizers.Outcome<ConfigMap> outcome = oneAndThree().reconcile(before, context);
        assertThat(outcome.isBeingDeleted()).isTrue();
        assertThat(outcome.changed()).isFalse();
        assertThat(header().finalizers()).containsExactly(ONE);
    }

    @Test
    void reconcileCallsTheCleanersOfItsFinalizersAndRemovesThoseThatAreDone() throws Exception {
        ConfigMap object = deleted(ONE, TWO);
        Finalizers<ConfigMap> finalizers = Finalizers.<ConfigMap>create(client)
                .register(ONE, (waiting, context) -> CleanupResult.notYet(Duration.ofSeconds(5)))
                .register(TWO, (done, context) -> CleanupResult.done())
                .register(THREE, throwing(new IllegalStateException("the object does not have this one")));
        Finalizers.Outcome<ConfigMap> outcome = finalizers.reconcile(object, context);
        assertThat(outcome.changed()).isTrue();
        assertThat(outcome.isBeingDeleted()).isTrue();
        assertThat(outcome.cleanup().delay()).hasValue(Duration.ofSeconds(5));
        assertThat(header().finalizers()).containsExactly(ONE);
    }

    /** An object of the code of users can lack the version that would be a conflict. */
    @Test
    void reconcileWhenTheObjectHasNoVersionLeavesAnotherOneOfTheNameAlone() {
        ConfigMap before = deleted(ONE);
        client.patch(before, ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
        created(ONE);
        before.getMetadata().setResourceVersion(null);
        assertThatThrownBy(() -> oneAndThree().reconcile(before, context))
                .isInstanceOf(InvalidObjectException.class)
                .hasMessageContaining("metadata.uid");
        assertThat(header().finalizers()).containsExactly(ONE);
    }
}
