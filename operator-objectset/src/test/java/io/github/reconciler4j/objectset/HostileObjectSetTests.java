package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users, other tools and the API server can do to a set: each of it concerns the object that it is about. */
class HostileObjectSetTests extends ObjectSetFixture {

    private static final Kind<GenericKubernetesResource> GADGET = Kind.of("hostile.example.com/v1", "Gadget");

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gadgets.hostile.example.com}
            spec:
              group: hostile.example.com
              scope: Namespaced
              names: {kind: Gadget, plural: gadgets, singular: gadget}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object}}
            """;

    private static final String LONG = "a".repeat(253);

    private ObjectSetResult reconcileBesides(Secret hostile) {
        return sets.reconcile(set().apply(hostile).apply(account("other")).apply(secret("third")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a/b", "..", ".", "\uD83D\uDE80", "a b", "A", "a%2Fb", "a?x=1", "a\nb", "../../configmaps/owner"
            })
    void nameThatTheServerRefusesConcernsItsObject(String name) {
        ObjectSetResult result = reconcileBesides(secret(name));

        assertThat(state(result, name)).isEqualTo(State.FAILED);
        assertThat(state(result, "other")).isEqualTo(State.DONE);
        assertThat(state(result, "third")).isEqualTo(State.DONE);
        assertThat(result.message()).doesNotContain("\n");
        assertThatThrownBy(result::toResult).isInstanceOf(ObjectSetException.class);
        assertThat(client.live().list(Secret.class, namespace)).hasSize(1);
        assertThat(exists(ConfigMap.class, "owner")).isTrue();
    }

    @Test
    void namesOfFullLengthAreFoundAgain() {
        owner = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(LONG)
                .withFinalizers("example.com/finalizer")
                .endMetadata()
                .build());
        String role = namespace + "-" + "r".repeat(252 - namespace.length());

        ObjectSetResult result = sets.reconcile(set().apply(secret(LONG)).apply(clusterRole(role)));

        assertThat(result.isReady()).isTrue();
        assertThat(ObjectSets.ownerOf(
                        client.live()
                                .get(Kind.of(ClusterRole.class).metadata(), ObjectKey.ofName(role))
                                .orElseThrow(),
                        ConfigMap.class))
                .contains(new Request(namespace, LONG));
        sets.reconcile(set());
        assertThat(exists(Secret.class, LONG)).isFalse();
        assertThat(client.live().exists(Kind.of(ClusterRole.class), ObjectKey.ofName(role)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ",", "v1", "/", "v1/Secret/x/y", "optional:", "label:", "\uD83D\uDE80/x", "v1/Secret,,\n"})
    void annotationThatSomebodyEditedIsWrittenAgain(String text) {
        owner.getMetadata().setAnnotations(Map.of(KindMemory.ANNOTATION, text));
        owner = client.update(owner);

        assertThat(sets.reconcile(set().apply(account("a"))).isReady()).isTrue();
        sets.reconcile(set().apply(account("a")));

        assertThat(remembered()).isEqualTo("v1/ServiceAccount");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "configmaps/", "configmaps//", "configmaps/a/b/c", "secrets/a/b", "\uD83D\uDE80"})
    void annotationOfAChildThatSomebodyEditedLeadsToNoRequest(String text) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder().withName("role");

        assertThat(ObjectSets.ownerOf(
                        new LateReader.Header(
                                metadata.addToAnnotations(Ownership.OWNER, text).build()),
                        ConfigMap.class))
                .isEmpty();
    }

    static Stream<Supplier<Throwable>> thrown() {
        return Stream.of(
                () -> new IllegalArgumentException("two\nlines \uD83D\uDE80"),
                () -> new RuntimeException() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("no message");
                    }
                },
                () -> new AssertionError("an error"),
                StackOverflowError::new,
                () -> new NoClassDefFoundError("com/example/Missing"),
                () -> new java.io.IOException("checked"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void readinessThatThrowsConcernsItsObject(Supplier<Throwable> thrown) {
        sets.reconcile(set().apply(secret("surplus")));

        ObjectSetResult result = sets.reconcile(set().apply(account("a"))
                .untilReady(object -> HostileObjectSetTests.<RuntimeException>raise(thrown.get()))
                .applyAll(Secret.class, List.of(secret("b")))
                .then(s -> s.apply(account("later"))));

        assertThat(state(result, "a")).isEqualTo(State.FAILED);
        assertThat(state(result, "b")).isEqualTo(State.DONE);
        assertThat(state(result, "later")).isEqualTo(State.BLOCKED);
        assertThat(exists(Secret.class, "surplus")).isFalse();
        assertThat(result.message())
                .contains("ServiceAccount " + namespace + "/a has failed")
                .doesNotContain("\n");
        assertThatThrownBy(result::toResult).isInstanceOf(ObjectSetException.class);
    }

    @SuppressWarnings("unchecked") // the compiler must not know that it is a checked one
    private static <E extends Throwable> Readiness.Status raise(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void readinessThatReturnsNothingSaysWhatToReturn() {
        ObjectSetResult result = sets.reconcile(set().apply(account("a")).untilReady(object -> null));

        assertThatThrownBy(result::toResult)
                .hasMessageContaining("the readiness returns null: return Status.ready(...)");
    }

    @Test
    void outOfMemoryInAReadinessEndsTheReconciliation() {
        assertThatThrownBy(() -> sets.reconcile(set().apply(account("a"))
                        .untilReady(
                                object -> HostileObjectSetTests.<RuntimeException>raise(new OutOfMemoryError("test")))))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void serverThatAnswersTooLateConcernsTheObjectAndIsAskedAgain() {
        Client hasty = Client.create(
                connection, Scheme.create(), ClientOptions.defaults().withTimeout(Duration.ofMillis(500)));
        ObjectSets hastySets = ObjectSets.create(hasty);
        FaultRule late = FaultRule.of(
                RequestMatch.writes().kind("Secret").namespace(namespace).name("slow"), Fault.stall());
        server.faults().add(late);

        ObjectSetResult result = hastySets.reconcile(set().apply(secret("slow")).apply(account("quick")));

        assertThat(state(result, "slow")).isEqualTo(State.FAILED);
        assertThat(state(result, "quick")).isEqualTo(State.DONE);
        server.faults().clear(); // what was held is carried out now, or is not, while it is applied again
        assertThat(sets.reconcile(set().apply(secret("slow")).apply(account("quick")))
                        .isReady())
                .isTrue();
        assertThat(client.live().list(Secret.class, namespace)).hasSize(1);
    }

    @Test
    void connectionThatIsLostAfterAWriteLosesNothing() {
        for (String kind : List.of("ConfigMap", "Secret", "ServiceAccount")) {
            server.faults()
                    .add(FaultRule.of(
                                    RequestMatch.writes().kind(kind).namespace(namespace),
                                    Fault.cut(Fault.CutPoint.AFTER))
                            .once());
        }
        ObjectSet set = set().apply(secret("a")).apply(account("b"));
        boolean ready = false;
        for (int attempt = 0; !ready && attempt < 4; attempt++) {
            try {
                ready = sets.reconcile(set).isReady();
            } catch (RuntimeException e) {
                ready = false; // the annotation could not be written
            }
        }

        assertThat(ready).isTrue();
        assertThat(remembered()).isEqualTo("v1/Secret,v1/ServiceAccount");
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("delete").namespace(namespace), Fault.cut(Fault.CutPoint.AFTER))
                        .once());
        sets.reconcile(set().apply(account("b")));
        assertThat(sets.reconcile(set().apply(account("b"))).isReady()).isTrue();
        assertThat(exists(Secret.class, "a")).isFalse();
    }

    private static HasMetadata gadget() {
        GenericKubernetesResource gadget = new GenericKubernetesResource();
        gadget.setApiVersion(GADGET.apiVersion());
        gadget.setKind(GADGET.kind());
        gadget.setMetadata(new ObjectMetaBuilder().withName("gadget").build());
        return gadget;
    }

    private void createDefinition() {
        client.create(new KubernetesSerialization().unmarshal(DEFINITION, CustomResourceDefinition.class));
    }

    private void deleteDefinition() {
        client.delete(
                Kind.of(CustomResourceDefinition.class),
                ObjectKey.ofName("gadgets.hostile.example.com"),
                DeletionOptions.defaults());
        await("the definition is gone")
                .atMost(Duration.ofSeconds(30))
                .until(() -> !client.live()
                        .exists(
                                Kind.of(CustomResourceDefinition.class),
                                ObjectKey.ofName("gadgets.hostile.example.com")));
    }

    @Test
    void definitionThatVanishesAfterItWasSeenConcernsItsObjects() {
        createDefinition();
        addFinalizer();
        AtomicBoolean vanishes = new AtomicBoolean(true);
        ObjectSets vanishing = ObjectSets.create(client.intercepted((call, next) -> {
            if (call.verb() == ClientCall.Verb.APPLY
                    && call.kind().kind().kind().equals("Gadget")
                    && vanishes.getAndSet(false)) {
                deleteDefinition();
            }
            return next.proceed(call);
        }));
        ObjectSet set = set().ifServed(GADGET, s -> s.apply(gadget())).apply(account("a"));

        ObjectSetResult first = vanishing.reconcile(set);

        assertThat(state(first, "gadget")).isEqualTo(State.FAILED);
        assertThat(state(first, "a")).isEqualTo(State.DONE);
        ObjectSetResult second = vanishing.reconcile(set);
        assertThat(second.absentKinds()).containsExactly(GADGET);
        assertThat(second.isReady()).isTrue();
        assertThat(vanishing.delete(set).toCleanupResult().isDone()).isFalse();
        assertThat(vanishing.delete(set).toCleanupResult().isDone()).isTrue();
        assertThat(exists(ServiceAccount.class, "a")).isFalse();
    }

    @Test
    void definitionThatIsDeletedLaterKeepsNothingFromBeingReconciledAndDeleted() {
        createDefinition();
        addFinalizer();
        ObjectSet set = set().ifServed(GADGET, s -> s.apply(gadget())).apply(account("a"));
        assertThat(sets.reconcile(set).isReady()).isTrue();
        deleteDefinition();

        ObjectSetResult without = sets.reconcile(set().apply(account("a")));

        assertThat(without.isReady()).isTrue();
        assertThat(sets.delete(set()).toCleanupResult().isDone()).isFalse();
        assertThat(sets.delete(set()).toCleanupResult().isDone()).isTrue();
    }

    @Test
    void annotationThatAToolRemovesComesBackAndDeclaredKindsAreDeleted() {
        sets.reconcile(set().apply(account("a")).apply(secret("old")));
        owner = client.live().get(ConfigMap.class, namespace, "owner").orElseThrow();
        owner.getMetadata().setAnnotations(Map.of());
        owner = client.update(owner);

        ObjectSetResult result = sets.reconcile(set().apply(account("a")).prunes(Kind.of(Secret.class)));

        assertThat(state(result, "old")).isEqualTo(State.PRUNED);
        assertThat(exists(Secret.class, "old")).isFalse();
        assertThat(remembered()).isEqualTo("v1/ServiceAccount");
    }

    @Test
    void conflictOfTheAnnotationWithoutPermissionToReadTheOwnerIsAConflict() {
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("patch").kind("ConfigMap").namespace(namespace), Fault.conflict())
                        .once());
        AtomicBoolean isLate = new AtomicBoolean();
        ObjectSets restricted = ObjectSets.create(client.intercepted((call, next) -> {
            if (call.verb() == ClientCall.Verb.PATCH) {
                isLate.set(true);
            } else if (call.verb() == ClientCall.Verb.GET && isLate.get()) {
                throw new ForbiddenException("get is not permitted");
            }
            return next.proceed(call);
        }));

        assertThatThrownBy(() -> restricted.reconcile(set().apply(account("a"))))
                .isInstanceOf(ConflictException.class);
        assertThat(sets.reconcile(set().apply(account("a"))).isReady()).isTrue();
    }

    @Test
    void deletionThatIsRefusedKeepsTheObjectsOfEarlierSteps() {
        addFinalizer();
        ObjectSet set = set().apply(account("first")).then(s -> s.apply(secret("last")));
        sets.reconcile(set);
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("delete").kind("Secret").namespace(namespace), Fault.forbidden()));

        ObjectSetResult refused = sets.delete(set);

        assertThat(state(refused, "last")).isEqualTo(State.FAILED);
        assertThat(state(refused, "first")).isEqualTo(State.BLOCKED);
        assertThatThrownBy(refused::toCleanupResult).hasMessageContaining("Secret " + namespace + "/last has failed");
        server.faults().clear();
        sets.delete(set);
        sets.delete(set);
        assertThat(sets.delete(set).toCleanupResult().isDone()).isTrue();
    }
}
