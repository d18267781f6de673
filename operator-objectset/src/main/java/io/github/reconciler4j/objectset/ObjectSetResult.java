package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.brake.Brake;
import io.github.reconciler4j.brake.BrakeException;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.support.Causes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the objects of a set stand after {@link ObjectSets#reconcile} or {@link ObjectSets#delete}. Immutable.
 *
 * <!-- snippet: ShopReconciler -->
 * <pre>{@code
 * ObjectSetResult result = sets.reconcile(children(shop));
 * client.status()
 *         .edit(
 *                 shop,
 *                 changed ->
 *                         result.report(Conditions.of(changed.getStatus().getConditions(), changed)));
 * return result.toResult();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ObjectSetResult {

    /** The type of the condition that says whether all objects are as desired. */
    public static final String READY = "Ready";

    /** The type of the condition for what does not get better without a person. */
    public static final String STALLED = "Stalled";

    private static final int MAX_NAMED = 10;
    private static final Set<State> UNFINISHED =
            Set.of(State.NOT_READY, State.TIMED_OUT, State.BLOCKED, State.OCCUPIED, State.FAILED);

    private final List<ObjectOutcome> objects;
    private final List<String> ruleProblems;
    private final List<Kind<?>> absent;
    private final Next next;

    ObjectSetResult(List<ObjectOutcome> objects, List<String> ruleProblems, List<Kind<?>> absent, Next next) {
        this.objects = List.copyOf(objects);
        this.ruleProblems = List.copyOf(ruleProblems);
        this.absent = List.copyOf(absent);
        this.next = next;
    }

    /**
     * What has to happen next.
     *
     * @param delay when to reconcile again, null for the next change
     * @param left whether something of the set exists
     * @param unseen whether there may be objects that Kubernetes does not delete with the owner, of a kind that is not watched
     */
    record Next(@Nullable Duration delay, boolean left, boolean unseen) {}

    /** Return the outcome of each object, in the order of the set, and then of those that are not in the set. */
    public List<ObjectOutcome> objects() {
        return objects;
    }

    /** Return the outcomes with one of these states. */
    public List<ObjectOutcome> objects(State... states) {
        Set<State> wanted = Set.of(states);
        return objects.stream().filter(each -> wanted.contains(each.state())).toList();
    }

    /** Return an applied object as it is now; empty if it was not applied, or has another class or name. */
    public <T extends HasMetadata> Optional<T> find(Class<T> type, String name) {
        return objects.stream()
                .filter(each -> each.key().name().equals(name))
                .flatMap(each -> each.object().stream())
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    /** Return the kinds that the API server does not serve, whose parts were skipped. */
    public List<Kind<?>> absentKinds() {
        return absent;
    }

    /**
     * Return what keeps the set from deleting objects of kinds that it used before, a text per kind with what to add to the
     * controller. Empty if nothing does.
     */
    public List<String> ruleProblems() {
        return ruleProblems;
    }

    /** Return whether all objects are applied and, where the set asks for it, ready, and nothing has failed. */
    public boolean isReady() {
        return objects.stream().noneMatch(each -> UNFINISHED.contains(each.state()));
    }

    /** Return one word for the state of the set, as the reason of a condition. */
    public String reason() {
        if (!objects(State.FAILED).isEmpty()) {
            return "ObjectsFailed";
        }
        if (!objects(State.TIMED_OUT).isEmpty()) {
            return "TimeLimitExceeded";
        }
        return isReady() ? "ObjectsReady" : "ObjectsNotReady";
    }

    /** Return the state of the set for people. It names the objects that have failed, wait or are not ready. */
    public String message() {
        List<ObjectOutcome> unfinished = objects.stream()
                .filter(each -> UNFINISHED.contains(each.state()))
                .sorted(Comparator.comparing(ObjectSetResult::rank))
                .toList();
        if (unfinished.isEmpty()) {
            long done = objects(State.DONE).size();
            return done == 1 ? "1 object is as desired" : done + " objects are as desired";
        }
        return names(unfinished);
    }

    private static int rank(ObjectOutcome outcome) {
        return switch (outcome.state()) {
            case FAILED -> 0;
            case TIMED_OUT -> 1;
            case BLOCKED -> 3;
            default -> 2;
        };
    }

    private static String names(List<ObjectOutcome> outcomes) {
        String named =
                outcomes.stream().limit(MAX_NAMED).map(ObjectOutcome::toString).collect(Collectors.joining("; "));
        int more = outcomes.size() - MAX_NAMED;
        return more > 0 ? named + "; and " + more + " more" : named;
    }

    /**
     * Set the conditions of the owner: {@code Ready}, and {@code Stalled} while an object exceeds its time limit, or objects of
     * a kind cannot be deleted because the controller does not watch it, or because the {@link Brake} has stopped deletions.
     *
     * @return the given conditions
     */
    public Conditions report(Conditions conditions) {
        conditions.set(READY, isReady(), reason(), message());
        List<ObjectOutcome> late = objects(State.TIMED_OUT);
        List<ObjectOutcome> stopped = objects(State.FAILED).stream()
                .filter(each ->
                        each.failure().filter(BrakeException.class::isInstance).isPresent())
                .toList();
        if (!stopped.isEmpty()) {
            return conditions.setTrue(
                    STALLED, "DeletionsStopped", stopped.get(0).message());
        }
        if (!ruleProblems.isEmpty()) {
            return conditions.setTrue(STALLED, "RuleMissing", String.join("; ", ruleProblems));
        }
        return late.isEmpty()
                ? conditions.remove(STALLED)
                : conditions.setTrue(STALLED, "TimeLimitExceeded", names(late));
    }

    /**
     * Return what the reconciler returns: done until an object changes, or a time at which a time limit ends or a missing kind is
     * looked for.
     *
     * @throws ObjectSetException if an object has failed, so that the reconciliation is retried
     */
    public Result toResult() {
        throwFailures();
        return next.delay() == null ? Result.done() : Result.requeueAfter(next.delay());
    }

    /**
     * Return what the cleaner returns: done when nothing is left.
     *
     * @throws ObjectSetException if an object could not be deleted, or if objects that Kubernetes does not delete with the owner
     *     are of a kind that the controller does not watch
     */
    public CleanupResult toCleanupResult() {
        throwFailures();
        if (next.unseen()) {
            throw new ObjectSetException(String.join("; ", ruleProblems));
        }
        return next.left() ? CleanupResult.notYet() : CleanupResult.done();
    }

    private void throwFailures() {
        List<ObjectOutcome> failed = objects(State.FAILED);
        if (failed.isEmpty()) {
            return;
        }
        List<RuntimeException> causes = new ArrayList<>();
        failed.forEach(each -> each.failure().ifPresent(causes::add));
        causes.sort(Comparator.comparing(ObjectSetResult::rank));
        ObjectSetException thrown = causes.isEmpty()
                ? new ObjectSetException(names(failed))
                : new ObjectSetException(names(failed), causes.get(0));
        causes.stream().skip(1).forEach(thrown::addSuppressed);
        throw thrown;
    }

    /** What is no failure comes after what is one, and what must not be retried keeps nothing from being retried. */
    private static int rank(RuntimeException cause) {
        return Causes.contains(cause, TerminalException.class) ? 2 : cause instanceof BrakeException ? 1 : 0;
    }

    /** Return for instance {@code ObjectsNotReady: Deployment shop/web is not ready: 1 of 3 pods are available}. */
    @Override
    public String toString() {
        return reason() + ": " + message();
    }
}
