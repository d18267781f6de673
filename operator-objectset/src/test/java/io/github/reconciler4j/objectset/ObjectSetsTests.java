package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What a set applies, in which order, and what it says of it, against the API server in this JVM. */
class ObjectSetsTests extends ObjectSetFixture {

    @Test
    void objectsWhenAppliedBelongToTheOwner() {
        ObjectSetResult result =
                sets.reconcile(set().apply(secret("a")).applyAll(ServiceAccount.class, List.of(account("b"))));

        assertThat(result.isReady()).isTrue();
        assertThat(result.toResult()).isEqualTo(Result.done());
        Secret created = client.live().get(Secret.class, namespace, "a").orElseThrow();
        assertThat(OwnerReferences.controllerOf(created).orElseThrow().getUid())
                .isEqualTo(owner.getMetadata().getUid());
        assertThat(result.find(ServiceAccount.class, "b")).isPresent();
        assertThat(remembered()).isEqualTo("v1/Secret,v1/ServiceAccount");
        assertThat(condition(report(result), "Ready").getMessage()).isEqualTo("2 objects are as desired");
    }

    @Test
    void givenObjectIsNotChanged() {
        Secret given = secret("a");

        sets.reconcile(set().apply(given));

        assertThat(given).isEqualTo(secret("a"));
    }

    @Test
    void setWhenAppliedAgainWritesNothing() {
        ObjectSet set = set().apply(secret("a")).then(s -> s.apply(account("b")));
        sets.reconcile(set);
        sets.reconcile(set);
        server.requests().clear();

        sets.reconcile(set);

        assertThat(server.requests().matching(RequestMatch.writes())).isEmpty();
    }

    @Test
    void objectWhenItFailsDoesNotKeepOthersOfItsStepFromBeingApplied() {
        Secret invalid = secret("a");
        invalid.setType("kubernetes.io/tls"); // lacks its keys

        ObjectSetResult result =
                sets.reconcile(set().apply(invalid).apply(account("b")).then(s -> s.apply(account("later"))));

        assertThat(state(result, "a")).isEqualTo(State.FAILED);
        assertThat(state(result, "b")).isEqualTo(State.DONE);
        assertThat(state(result, "later")).isEqualTo(State.BLOCKED);
        assertThat(exists(ServiceAccount.class, "later")).isFalse();
        assertThatThrownBy(result::toResult)
                .isInstanceOf(ObjectSetException.class)
                .hasMessageContaining("Secret " + namespace + "/a has failed")
                .hasMessageNotContaining("/b");
        assertThat(condition(report(result), "Ready").getReason()).isEqualTo("ObjectsFailed");
    }

    @Test
    void stepWhenTheOneBeforeIsNotReadyWaitsAndKeepsWhatItHas() {
        ObjectSet first = set().then(s -> s.apply(account("later")).applyAll(Secret.class, List.of(secret("old"))));
        sets.reconcile(first);

        ObjectSetResult waiting = sets.reconcile(set().apply(deployment("web"))
                .untilReady()
                .then(s -> s.apply(account("later")).applyAll(Secret.class, List.of(secret("new")))));

        assertThat(state(waiting, "web")).isEqualTo(State.NOT_READY);
        assertThat(exists(ServiceAccount.class, "later")).isTrue();
        assertThat(exists(Secret.class, "old")).isTrue();
        assertThat(exists(Secret.class, "new")).isFalse();
        assertThat(condition(report(waiting), "Ready").getMessage())
                .contains("Deployment " + namespace + "/web is not ready: its controller has not seen it yet");
        makeReady("web");

        ObjectSetResult ready = sets.reconcile(set().apply(deployment("web"))
                .untilReady()
                .then(s -> s.apply(account("later")).applyAll(Secret.class, List.of(secret("new")))));

        assertThat(ready.isReady()).isTrue();
        assertThat(exists(Secret.class, "old")).isFalse();
        assertThat(exists(Secret.class, "new")).isTrue();
        assertThat(state(ready, "old")).isEqualTo(State.PRUNED);
    }

    @Test
    void partsOfAKindThatIsNotServedAreSkipped() {
        Kind<?> route = Kind.of("route.openshift.io/v1", "Route");

        ObjectSetResult result = sets.reconcile(
                set().ifServed(route, s -> s.apply(secret("skipped"))).then(s -> s.apply(account("next"))));

        assertThat(exists(Secret.class, "skipped")).isFalse();
        assertThat(exists(ServiceAccount.class, "next")).isTrue();
        assertThat(result.absentKinds()).containsExactly(route);
        assertThat(result.toResult()).isEqualTo(Result.requeueAfter(Duration.ofMinutes(1)));
    }

    @Test
    void timeLimitWhenItIsOverIsACondition() {
        ObjectSet set = set().apply(deployment("web")).untilReady().within(Duration.ofNanos(1));
        sets.reconcile(set);

        ObjectSetResult late = sets.reconcile(set);

        assertThat(state(late, "web")).isEqualTo(State.TIMED_OUT);
        assertThat(condition(report(late), "Ready").getReason()).isEqualTo("TimeLimitExceeded");
        assertThat(condition(report(late), "Stalled").getStatus()).isEqualTo("True");
    }

    @Test
    void timeLimitWhenItRunsIsTheTimeOfTheNextReconciliation() {
        Result result = sets.reconcile(
                        set().apply(deployment("web")).untilReady().within(Duration.ofHours(1)))
                .toResult();

        assertThat(result.next()).isEqualTo(Result.Next.AFTER_DELAY);
        assertThat(result.delay()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void ownPredicateDecidesWhenItIsGiven() {
        AtomicInteger calls = new AtomicInteger();
        Predicate<Secret> second = secret -> calls.incrementAndGet() > 1;
        ObjectSet set = set().apply(secret("a")).untilReady(Readiness.of(Secret.class, second, "the second call"));

        assertThat(sets.reconcile(set).message()).contains("is not ready: waits for the second call");
        assertThat(sets.reconcile(set).isReady()).isTrue();
    }

    @Test
    void objectThatIsTwiceInTheSetIsRefused() {
        assertThatThrownBy(() -> sets.reconcile(set().apply(secret("a")).apply(secret("a"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void ownerThatIsBeingDeletedGetsNothing() {
        addFinalizer();
        client.delete(owner);
        owner = client.live().get(ConfigMap.class, namespace, "owner").orElseThrow();

        ObjectSetResult result = sets.reconcile(set().apply(secret("a")));

        assertThat(result.objects()).isEmpty();
        assertThat(exists(Secret.class, "a")).isFalse();
    }

    @Test
    void ownerThatIsGoneGetsNothing() {
        client.delete(owner);

        assertThat(sets.reconcile(set().apply(secret("a"))).toResult()).isEqualTo(Result.done());
        assertThat(exists(Secret.class, "a")).isFalse();
    }

    @Test
    void untilReadyWithoutAnObjectIsRefused() {
        assertThatThrownBy(() -> set().untilReady()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> set().apply(secret("a")).within(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(set().applyAll(Service.class, List.of()).toString()).contains("ConfigMap " + namespace + "/owner");
    }
}
