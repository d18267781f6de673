package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** To whom objects belong and what is deleted, against the API server in this JVM. */
class ObjectOwnershipTests extends ObjectSetFixture {

    @Test
    void conditionWhenNotMetAnyMoreDeletesItsObjects() {
        sets.reconcile(set().apply(account("stays")).when(true, s -> s.apply(secret("goes"))));

        ObjectSetResult result = sets.reconcile(set().apply(account("stays")).when(false, s -> {
            throw new AssertionError("called");
        }));

        assertThat(exists(Secret.class, "goes")).isFalse();
        assertThat(exists(ServiceAccount.class, "stays")).isTrue();
        assertThat(state(result, "goes")).isEqualTo(State.PRUNED);
    }

    @Test
    void conditionWhenNotMetInAStepThatWaitsKeepsItsObjects() {
        sets.reconcile(set().when(true, s -> s.apply(secret("kept"))));

        sets.reconcile(set().apply(deployment("web")).untilReady().then(s -> s.when(false, t -> t)));

        assertThat(exists(Secret.class, "kept")).isTrue();
        makeReady("web");
        sets.reconcile(set().apply(deployment("web")).untilReady().then(s -> s.when(false, t -> t)));
        assertThat(exists(Secret.class, "kept")).isFalse();
    }

    @Test
    void kindWhenNothingIsLeftOfItIsForgotten() {
        sets.reconcile(set().apply(account("a")).apply(secret("b")));
        sets.reconcile(set().apply(account("a")));
        sets.reconcile(set().apply(account("a")));

        assertThat(remembered()).isEqualTo("v1/ServiceAccount");
    }

    @Test
    void kindOfWhichALateCacheHasNothingIsRememberedUntilItIsDeleted() {
        sets.reconcile(set().apply(account("a")).apply(secret("b")));
        LateReader late = new LateReader();
        show(late, ConfigMap.class, "owner");
        ObjectSets restarted =
                ObjectSets.create(Client.create(connection, Scheme.create(), late, ClientOptions.defaults()));

        restarted.reconcile(set().apply(account("a")));

        assertThat(exists(Secret.class, "b")).isTrue();
        assertThat(remembered()).contains("v1/Secret");
        show(late, Secret.class, "b");
        restarted.reconcile(set().apply(account("a")));
        assertThat(exists(Secret.class, "b")).isFalse();
    }

    /** Return a cache whose owner remembers Secrets, which the server has forgotten. */
    private LateReader withLateOwner() {
        sets.reconcile(set().apply(account("a")).apply(secret("b")));
        LateReader late = new LateReader();
        show(late, ConfigMap.class, "owner");
        sets.reconcile(set().apply(account("a")));
        sets.reconcile(set().apply(account("a")));
        assertThat(remembered()).isEqualTo("v1/ServiceAccount");
        return late;
    }

    @Test
    void lateOwnerWithoutPermissionToReadItIsAConflictBeforeAnObjectIsCreated() {
        LateReader late = withLateOwner();
        Client restricted = Client.create(connection, Scheme.create(), late, ClientOptions.defaults())
                .intercepted((call, next) -> {
                    if (call.verb() == ClientCall.Verb.GET
                            && call.key().orElseThrow().name().equals("owner")) {
                        throw new ForbiddenException("get is not permitted");
                    }
                    return next.proceed(call);
                });
        ObjectSets restarted = ObjectSets.create(restricted);

        ObjectSetResult refused = restarted.reconcile(set().apply(secret("b")));

        assertThatThrownBy(refused::toResult).hasRootCauseInstanceOf(ConflictException.class);
        assertThat(exists(Secret.class, "b")).isFalse();
        show(late, ConfigMap.class, "owner");
        assertThat(restarted.reconcile(set().apply(secret("b"))).message()).isEqualTo("1 object is as desired");
        assertThat(remembered()).contains("v1/Secret");
    }

    @Test
    void kindThatOnlyALateOwnerRemembersIsRememberedAgainBeforeAnObjectIsCreated() {
        ObjectSets restarted = ObjectSets.create(
                Client.create(connection, Scheme.create(), withLateOwner(), ClientOptions.defaults()));

        restarted.reconcile(set().apply(account("a")).apply(secret("b")));

        assertThat(exists(Secret.class, "b")).isTrue();
        assertThat(remembered()).isEqualTo("v1/ServiceAccount,v1/Secret");
    }

    @Test
    void ownerIsReadOnceBeforeMissingObjectsAreCreatedUnlessItWasWritten() {
        AtomicInteger reads = new AtomicInteger();
        ObjectSets counted = ObjectSets.create(client.intercepted((call, next) -> {
            boolean owner = call.key().map(key -> key.name().equals("owner")).orElse(false);
            reads.addAndGet(call.verb() == ClientCall.Verb.GET && owner ? 1 : 0);
            return next.proceed(call);
        }));
        ObjectSet set = set().apply(account("a")).apply(secret("b")).apply(secret("c"));
        counted.reconcile(set);
        int uncached = reads.getAndSet(0); // this client has no cache

        counted.reconcile(set);
        int atRest = reads.getAndSet(0);
        client.delete(client.live().get(Secret.class, namespace, "b").orElseThrow());
        client.delete(client.live().get(Secret.class, namespace, "c").orElseThrow());
        counted.reconcile(set);

        assertThat(uncached).isEqualTo(atRest);
        assertThat(reads.get()).isEqualTo(atRest + 1);
        assertThat(exists(Secret.class, "b") && exists(Secret.class, "c")).isTrue();
    }

    private void show(LateReader late, Class<? extends HasMetadata> type, String name) {
        HasMetadata object = client.live().get(type, namespace, name).orElseThrow();
        late.show(
                new LateReader.Place(object.getKind(), ObjectKey.of(namespace, name)),
                KubernetesJson.mapper().valueToTree(object).toString());
    }

    @Test
    void objectWithKeepIsNotDeleted() {
        Secret kept = secret("kept");
        kept.getMetadata().setAnnotations(Map.of(Ownership.KEEP, "true"));
        sets.reconcile(set().apply(kept));

        ObjectSetResult result = sets.reconcile(set());

        assertThat(exists(Secret.class, "kept")).isTrue();
        assertThat(state(result, "kept")).isEqualTo(State.KEPT);
        assertThat(result.isReady()).isTrue();
    }

    @Test
    void objectOfSomebodyElseIsNeitherChangedNorDeleted() {
        Secret foreign = secret("foreign");
        foreign.getMetadata().setNamespace(namespace);
        String version = client.create(foreign).getMetadata().getResourceVersion();

        ObjectSetResult result = sets.reconcile(set().apply(secret("foreign")));
        sets.reconcile(set());

        assertThat(state(result, "foreign")).isEqualTo(State.FAILED);
        assertThatThrownBy(result::toResult).hasMessageContaining("exists already and has no controller");
        assertThat(client.live()
                        .get(Secret.class, namespace, "foreign")
                        .orElseThrow()
                        .getMetadata()
                        .getResourceVersion())
                .isEqualTo(version);
    }

    @Test
    void objectWhenAdoptionIsAskedForIsTakenOver() {
        Secret free = secret("free");
        free.getMetadata().setNamespace(namespace);
        client.create(free);

        ObjectSetResult result = sets.reconcile(set().apply(secret("free")).adopt());

        assertThat(state(result, "free")).isEqualTo(State.DONE);
        assertThat(OwnerReferences.isOwnedBy(result.find(Secret.class, "free").orElseThrow(), owner))
                .isTrue();
    }

    @Test
    void objectWithAnotherControllerIsNotAdopted() {
        ConfigMap other = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("other")
                .endMetadata()
                .build());
        sets.reconcile(ObjectSet.ownedBy(other).apply(secret("taken")));

        ObjectSetResult result = sets.reconcile(set().apply(secret("taken")).adopt());

        assertThatThrownBy(result::toResult).hasMessageContaining("belongs to ConfigMap other");
    }

    @Test
    void objectOfAFormerOwnerIsWaitedFor() {
        sets.reconcile(set().apply(secret("child")));
        client.delete(owner);
        owner = client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .endMetadata()
                .build());

        ObjectSetResult result = sets.reconcile(set().apply(secret("child")));

        assertThat(state(result, "child")).isEqualTo(State.OCCUPIED);
        assertThat(result.toResult()).isEqualTo(Result.done());
    }

    @Test
    void setsWithNamesLeaveEachOtherAlone() {
        sets.reconcile(set().named("one").apply(secret("a")));
        sets.reconcile(set().named("two").apply(secret("b")));
        sets.reconcile(set().named("two"));

        assertThat(exists(Secret.class, "a")).isTrue();
        assertThat(exists(Secret.class, "b")).isFalse();
        assertThatThrownBy(() ->
                        sets.reconcile(set().named("two").apply(secret("a"))).toResult())
                .hasMessageContaining("belongs to the set 'one' of the same owner");
    }

    @Test
    void objectWithoutReferenceNeedsAFinalizer() {
        assertThatThrownBy(() -> sets.reconcile(set().apply(clusterRole("role-" + namespace))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("let the reconciler implement Cleaner");
    }

    @Test
    void objectWithoutReferenceIsPrunedByItsLabel() {
        addFinalizer();
        String name = "role-" + namespace;

        sets.reconcile(set().apply(clusterRole(name)));

        ClusterRole role = client.live()
                .get(Kind.of(ClusterRole.class), ObjectKey.ofName(name))
                .orElseThrow();
        assertThat(role.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(role.getMetadata().getLabels())
                .containsEntry(Ownership.OWNER_UID, owner.getMetadata().getUid());
        assertThat(ObjectSets.ownerOf(
                        client.live()
                                .get(Kind.of(ClusterRole.class).metadata(), ObjectKey.ofName(name))
                                .orElseThrow(),
                        ConfigMap.class))
                .contains(new Request(namespace, "owner"));

        sets.reconcile(set());

        assertThat(client.live().get(Kind.of(ClusterRole.class), ObjectKey.ofName(name)))
                .isEmpty();
        assertThat(remembered()).contains("label:rbac.authorization.k8s.io/v1/ClusterRole");
    }

    @Test
    void deletionGoesInReverseOrderAndWaits() {
        addFinalizer();
        Secret stuck = secret("last");
        stuck.getMetadata().setFinalizers(List.of("example.com/other"));
        ObjectSet set = set().apply(account("first")).then(s -> s.apply(stuck)).apply(clusterRole("r-" + namespace));
        sets.reconcile(set);

        ObjectSetResult waiting = sets.delete(set);

        assertThat(waiting.toCleanupResult()).isEqualTo(CleanupResult.notYet());
        assertThat(exists(ServiceAccount.class, "first")).isTrue();
        assertThat(state(waiting, "first")).isEqualTo(State.BLOCKED);
        Secret last = client.live().get(Secret.class, namespace, "last").orElseThrow();
        assertThat(last.getMetadata().getDeletionTimestamp()).isNotNull();
        last.getMetadata().setFinalizers(List.of());
        client.update(last);

        assertThat(sets.delete(set).toCleanupResult()).isEqualTo(CleanupResult.notYet());
        assertThat(sets.delete(set).toCleanupResult()).isEqualTo(CleanupResult.done());
        assertThat(exists(ServiceAccount.class, "first")).isFalse();
        assertThat(client.live().get(Kind.of(ClusterRole.class), ObjectKey.ofName("r-" + namespace)))
                .isEmpty();
    }

    @Test
    void deletionStartsWithWhatTheSetDoesNotContain() {
        addFinalizer();
        sets.reconcile(set().apply(account("first")).apply(secret("extra")));
        ObjectSet set = set().apply(account("first"));

        sets.delete(set);

        assertThat(exists(Secret.class, "extra")).isFalse();
        assertThat(exists(ServiceAccount.class, "first")).isTrue();
    }
}
