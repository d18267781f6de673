package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.request.ServerRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What workflows of the Java Operator SDK promise about order, conditions, failures and readiness, for sets. The design page of
 * workflows lists which test stands for which of theirs.
 */
class WorkflowTests extends ObjectSetFixture {

    private static final Kind<?> ABSENT = Kind.of("route.openshift.io/v1", "Route");
    private static final Readiness NEVER = object -> Readiness.Status.waiting("waits for the test");
    private static final Readiness AT_ONCE = object -> Readiness.Status.ready("");

    @BeforeEach
    void forgetRequests() {
        server.requests().clear();
    }

    /** Return the names of the children that were created, in this order. */
    private List<String> created() {
        return written("create", "patch");
    }

    private List<String> deleted() {
        return written("delete");
    }

    private List<String> written(String... verbs) {
        return server.requests().all().stream()
                .map(LoggedRequest::request)
                .filter(RequestMatch.verbs(verbs).namespace(namespace))
                .map(ServerRequest::name)
                .filter(name -> !name.equals("owner"))
                .toList();
    }

    /** A child that the server refuses. */
    private static Secret broken(String name) {
        Secret broken = secret(name);
        broken.setType("kubernetes.io/tls"); // lacks its keys
        return broken;
    }

    @Test
    void twoStepsAreAppliedInOrder() {
        ObjectSetResult result = sets.reconcile(set().apply(account("one")).then(s -> s.apply(account("two"))));

        assertThat(created()).containsExactly("one", "two");
        assertThat(result.objects(State.DONE)).hasSize(2);
        assertThat(result.isReady()).isTrue();
    }

    @Test
    void twoObjectsThatNeedOneAreAppliedAfterIt() {
        sets.reconcile(
                set().apply(account("one")).then(s -> s.apply(account("two")).apply(account("three"))));

        assertThat(created()).startsWith("one").containsExactlyInAnyOrder("one", "two", "three");
    }

    @Test
    void diamondIsAppliedFromItsTop() {
        sets.reconcile(set().apply(account("one"))
                .then(s -> s.apply(account("two")).apply(account("three")))
                .then(s -> s.apply(account("four"))));

        assertThat(created()).hasSize(4).startsWith("one").endsWith("four");
    }

    @Test
    void failureIsInTheResultAndThrownWhenAskedFor() {
        ObjectSetResult result = sets.reconcile(set().apply(broken("one")));

        assertThat(result.objects(State.FAILED))
                .singleElement()
                .satisfies(each -> assertThat(each.failure()).isPresent());
        assertThatThrownBy(result::toResult).isInstanceOf(ObjectSetException.class);
    }

    @Test
    void whatNeedsAFailedObjectIsNotApplied() {
        ObjectSetResult result = sets.reconcile(
                set().apply(account("one")).then(s -> s.apply(broken("two"))).then(s -> s.apply(account("three"))));

        assertThat(state(result, "one")).isEqualTo(State.DONE);
        assertThat(state(result, "two")).isEqualTo(State.FAILED);
        assertThat(state(result, "three")).isEqualTo(State.BLOCKED);
    }

    @Test
    void branchCompletesWhileAnotherFails() {
        ObjectSetResult result = sets.reconcile(set().apply(account("one"))
                .then(s -> s.apply(broken("two"))
                        .when(true, branch -> branch.apply(account("three")).then(t -> t.apply(account("four"))))));

        assertThat(state(result, "two")).isEqualTo(State.FAILED);
        assertThat(state(result, "four")).isEqualTo(State.DONE);
        assertThat(created()).containsSubsequence("one", "three", "four");
    }

    @Test
    void whatNeedsAFailedAndAnAppliedObjectIsNotApplied() {
        ObjectSetResult result =
                sets.reconcile(set().apply(account("one")).apply(broken("two")).then(s -> s.apply(account("three"))));

        assertThat(state(result, "one")).isEqualTo(State.DONE);
        assertThat(state(result, "three")).isEqualTo(State.BLOCKED);
    }

    @Test
    void conditionsDecideWhatIsAppliedAndWhatIsDeleted() {
        sets.reconcile(set().apply(secret("three")));

        ObjectSetResult result = sets.reconcile(set().when(false, s -> s.apply(account("one")))
                .when(true, s -> s.apply(account("two")))
                .when(false, s -> s.apply(secret("three"))));

        assertThat(result.objects(State.DONE))
                .extracting(each -> each.key().name())
                .containsExactly("two");
        assertThat(deleted()).containsExactly("three");
    }

    @Test
    void conditionThatIsNotMetConcernsItsBranchOnly() {
        sets.reconcile(set().apply(account("one")).then(s -> s.apply(secret("three"))));

        sets.reconcile(set().apply(account("one"))
                .then(s -> s.apply(account("two")).when(false, t -> t.apply(secret("three")))));

        assertThat(created()).containsSubsequence("one", "two");
        assertThat(deleted()).containsExactly("three");
    }

    private ObjectSet chain(boolean condition) {
        return set().apply(account("one"))
                .then(s -> s.when(
                        condition,
                        t -> t.apply(secret("two"))
                                .then(u -> u.when(
                                        true, v -> v.apply(secret("three")).then(w -> w.apply(secret("four")))))));
    }

    @Test
    void whatNeedsSomethingThatIsSwitchedOffIsDeletedWhateverItsOwnCondition() {
        sets.reconcile(chain(true));

        ObjectSetResult result = sets.reconcile(chain(false));

        assertThat(deleted()).containsExactlyInAnyOrder("two", "three", "four");
        assertThat(result.objects(State.DONE)).hasSize(1);
        assertThat(result.isReady()).isTrue();
    }

    @Test
    void whatIsSwitchedOffIsDeletedBesidesAFailure() {
        sets.reconcile(set().apply(account("old")));

        ObjectSetResult result = sets.reconcile(set().apply(broken("one")).when(false, s -> s.apply(account("old"))));

        assertThat(deleted()).containsExactly("old");
        assertThat(result.objects(State.FAILED)).hasSize(1);
    }

    @Test
    void laterKindsAreDeletedFirstWhenSwitchedOff() {
        sets.reconcile(set().apply(account("one")).then(s -> s.apply(secret("two"))));

        sets.reconcile(set().when(false, s -> s));

        assertThat(deleted()).containsExactly("two", "one");
    }

    @Test
    void objectThatIsReadyLetsTheNextStepStart() {
        ObjectSetResult result =
                sets.reconcile(set().apply(account("one")).untilReady(AT_ONCE).then(s -> s.apply(account("two"))));

        assertThat(created()).containsExactly("one", "two");
        assertThat(result.objects(State.NOT_READY)).isEmpty();
    }

    @Test
    void objectThatIsNotReadyKeepsTheNextStepFromStarting() {
        ObjectSetResult result =
                sets.reconcile(set().apply(account("one")).untilReady(NEVER).then(s -> s.apply(account("two"))));

        assertThat(created()).containsExactly("one");
        assertThat(state(result, "one")).isEqualTo(State.NOT_READY);
        assertThat(result.message()).contains("/one is not ready: waits for the test");
    }

    @Test
    void oneOfTwoThatIsNotReadyKeepsTheNextStepFromStarting() {
        ObjectSetResult result = sets.reconcile(set().apply(account("one"))
                .untilReady(NEVER)
                .apply(account("two"))
                .then(s -> s.apply(account("three"))));

        assertThat(created()).containsExactly("one", "two");
        assertThat(state(result, "two")).isEqualTo(State.DONE);
        assertThat(state(result, "three")).isEqualTo(State.BLOCKED);
    }

    @Test
    void diamondWaitsForBothSides() {
        ObjectSetResult result = sets.reconcile(set().apply(account("one"))
                .then(s -> s.apply(account("two")).untilReady(NEVER).apply(account("three")))
                .then(s -> s.apply(account("four"))));

        assertThat(created()).startsWith("one").containsExactlyInAnyOrder("one", "two", "three");
        assertThat(result.objects(State.NOT_READY)).hasSize(1);
    }

    @Test
    void conditionBehindSomethingAbsentIsNotAsked() {
        AtomicInteger asked = new AtomicInteger();

        ObjectSetResult result = sets.reconcile(set().ifServed(
                        ABSENT,
                        s -> s.apply(account("one"))
                                .untilReady(object -> {
                                    asked.incrementAndGet();
                                    return Readiness.Status.ready("");
                                })
                                .then(t -> t.apply(account("two"))))
                .apply(account("three")));

        assertThat(created()).containsExactly("three");
        assertThat(asked).hasValue(0);
        assertThat(result.isReady()).isTrue();
        assertThat(result.objects(State.NOT_READY)).isEmpty();
    }

    @Test
    void servedKindsAreAskedForOnceInAReconciliation() {
        sets.reconcile(set().ifServed(ABSENT, s -> s.apply(account("one")))
                .ifServed(ABSENT, s -> s.apply(account("two")))
                .then(s -> s.ifServed(ABSENT, t -> t.apply(account("three")))));

        assertThat(created()).isEmpty();
        assertThat(server.requests().all().stream()
                        .filter(logged -> logged.request().path().contains("route.openshift.io")))
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void deletionOfADiamondStartsAtItsEnd() {
        ObjectSet diamond = set().apply(account("one"))
                .then(s -> s.apply(account("two")).apply(account("three")))
                .then(s -> s.apply(account("four")));
        sets.reconcile(diamond);
        server.requests().clear();

        boolean done = false;
        for (int call = 0; !done && call < 5; call++) {
            done = sets.delete(diamond).toCleanupResult().isDone();
        }

        assertThat(done).isTrue();
        assertThat(deleted()).hasSize(4).startsWith("four").endsWith("one");
    }

    @Test
    void deletionStopsBeforeWhatAFailureStillNeeds() {
        ObjectSet set = set().apply(account("one"))
                .then(s -> s.apply(account("two")))
                .then(s -> s.apply(account("three")).apply(secret("four")));
        sets.reconcile(set);
        server.faults()
                .add(io.github.reconciler4j.test.faults.FaultRule.of(
                        RequestMatch.verbs("delete").kind("Secret").namespace(namespace),
                        io.github.reconciler4j.test.faults.Fault.forbidden()));

        ObjectSetResult result = sets.delete(set);
        sets.delete(set);
        server.faults().clear();

        assertThat(state(result, "four")).isEqualTo(State.FAILED);
        assertThat(exists(ServiceAccount.class, "three")).isFalse();
        assertThat(exists(ServiceAccount.class, "two")).isTrue();
        assertThat(exists(ServiceAccount.class, "one")).isTrue();
    }

    @Test
    void deletionWaitsUntilObjectsAreGone() {
        Secret slow = secret("two");
        slow.getMetadata().setFinalizers(List.of("example.com/slow"));
        ObjectSet set = set().apply(account("one")).then(s -> s.apply(slow));
        sets.reconcile(set);

        sets.delete(set);
        ObjectSetResult waiting = sets.delete(set);

        assertThat(waiting.toCleanupResult().isDone()).isFalse();
        assertThat(exists(ServiceAccount.class, "one")).isTrue();
        Secret found = client.live().get(Secret.class, namespace, "two").orElseThrow();
        found.getMetadata().setFinalizers(List.of());
        client.update(found);
        sets.delete(set);
        assertThat(exists(ServiceAccount.class, "one")).isFalse();
    }

    @Test
    void deletionLeavesOutWhatIsAbsent() {
        ObjectSet set = set().apply(account("one"))
                .then(s -> s.ifServed(ABSENT, t -> t.apply(account("two"))).apply(account("three")))
                .then(s -> s.apply(account("four")));
        sets.reconcile(set);

        for (int call = 0; call < 4; call++) {
            sets.delete(set);
        }

        assertThat(deleted()).containsExactly("four", "three", "one");
        assertThat(sets.delete(set).toCleanupResult().isDone()).isTrue();
    }

    @Test
    void setWithoutObjectsIsReady() {
        assertThat(sets.reconcile(set()).isReady()).isTrue();
        assertThat(sets.delete(set()).toCleanupResult().isDone()).isTrue();
        assertThat(written("create", "patch", "delete")).isEmpty();
    }
}
