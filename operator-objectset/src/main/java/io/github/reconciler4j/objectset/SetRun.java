package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.objectset.KindMemory.OwnerGoneException;
import io.github.reconciler4j.objectset.KindMemory.UsedKind;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.objectset.ObjectSet.Part;
import io.github.reconciler4j.objectset.SetPlan.Desired;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.Causes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One reconciliation of a set. For one thread. */
final class SetRun {

    /** How often a missing kind is looked for. */
    private static final Duration ABSENT_CHECK = Duration.ofMinutes(1);

    /** A version that no object has: with it, an apply creates an object or fails, and never changes one. */
    private static final String NO_VERSION = "1";

    private static final int MAX_ATTEMPTS = 4;

    private final ObjectSet set;
    private final SetKinds kinds;
    private final Client client;
    private final ReadyTimes times;
    private final SetPlan plan;
    private final List<ObjectOutcome> outcomes = new ArrayList<>();
    private final Set<KindName> blocked = new HashSet<>();

    /** Whether a step whose turn has not come has a condition that is not met, so that the kinds of its objects are unknown. */
    private boolean unknownBlocked;

    private @Nullable Duration delay;

    SetRun(ObjectSet set, SetKinds kinds, ReadyTimes times) {
        this.set = set;
        this.kinds = kinds;
        this.client = kinds.client();
        this.times = times;
        this.plan = new SetPlan(set, kinds);
    }

    ObjectSetResult run() {
        if (set.owner().getMetadata().getDeletionTimestamp() != null) {
            return result(List.of());
        }
        try {
            Set<UsedKind> remembered = plan.memory().add(plan.used());
            run(set);
            Pruning pruning = new Pruning(plan, kinds, set, this::isHeld);
            outcomes.addAll(pruning.prune(remembered, awaited()));
            return result(pruning.ruleProblems());
        } catch (OwnerGoneException e) {
            return result(List.of()); // Kubernetes deletes what refers to it
        }
    }

    private ObjectSetResult result(List<String> ruleProblems) {
        List<Kind<?>> absent = new ArrayList<>();
        plan.absentKinds().forEach(name -> absent.add(Kind.of(name)));
        if (!absent.isEmpty()) {
            earlier(ABSENT_CHECK);
        }
        return new ObjectSetResult(
                outcomes, ruleProblems, absent, new ObjectSetResult.Next(delay, !outcomes.isEmpty(), false));
    }

    private void earlier(Duration time) {
        delay = delay == null || time.compareTo(delay) < 0 ? time : delay;
    }

    /** Return whether objects of a kind that the set does not contain may belong to a step whose turn has not come. */
    private boolean isHeld(KindName kind) {
        return unknownBlocked || blocked.stream().anyMatch(kind::sameGroupKind);
    }

    /** Carry out a set; return whether all of it is done. */
    private boolean run(ObjectSet nested) throws OwnerGoneException {
        boolean done = true;
        for (List<Part> step : nested.steps()) {
            if (done) {
                for (Part part : step) {
                    done &= run(part);
                }
            } else {
                step.forEach(this::block);
                plan(step);
            }
        }
        return done;
    }

    /** In a plan, show what a step will write when its turn comes. */
    @SuppressWarnings("try") // the scope lasts as long as the block
    private void plan(List<Part> step) throws OwnerGoneException {
        if (PlanScope.isActive()) {
            try (PlanScope later = PlanScope.after(awaited())) {
                for (Part part : step) {
                    run(part);
                }
            }
        }
    }

    /** Return the first object that is not ready, for people. */
    private String awaited() {
        return outcomes.stream()
                .filter(outcome -> outcome.state() != State.DONE)
                .map(outcome -> outcome.kind().kind() + " " + outcome.key())
                .findFirst()
                .orElse("");
    }

    private boolean run(Part part) throws OwnerGoneException {
        if (part.nested() != null) {
            return plan.isAbsent(part) || run(part.nested());
        }
        boolean done = true;
        for (Desired desired : plan.desired(part)) {
            ObjectOutcome outcome = apply(desired);
            outcomes.add(outcome);
            done &= outcome.state() == State.DONE;
        }
        return done;
    }

    private void block(Part part) {
        unknownBlocked |= part.isUnmet();
        if (part.nested() != null) {
            if (!plan.isAbsent(part)) {
                part.nested().steps().forEach(step -> step.forEach(this::block));
            }
            return;
        }
        if (part.kind() != null) {
            blocked.add(part.kind().name());
        }
        for (Desired desired : plan.desired(part)) {
            blocked.add(desired.kind().name());
            if (!PlanScope.isActive()) {
                outcomes.add(ObjectOutcome.of(desired.kind(), desired.key(), State.BLOCKED, ""));
            }
        }
    }

    /** Apply an object; what fails concerns this object alone, unless this process must not write any more. */
    private ObjectOutcome apply(Desired desired) throws OwnerGoneException {
        try {
            return applyOrThrow(desired);
        } catch (RequestInterruptedException | WriteRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            return ObjectOutcome.failed(desired.kind(), desired.key(), e);
        }
    }

    private ObjectOutcome applyOrThrow(Desired desired) throws OwnerGoneException {
        Optional<ObjectHeader> current = client.get(desired.kind().metadata(), desired.key());
        for (int attempt = 1; ; attempt++) {
            try {
                return apply(desired, current);
            } catch (ConflictException e) { // the cache is late, or another writer was faster
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                current = client.live().get(desired.kind().metadata(), desired.key());
            } catch (InvalidObjectException e) { // so is an apply to another object of this name
                Optional<ObjectHeader> live = client.live().get(desired.kind().metadata(), desired.key());
                boolean same = live.map(ObjectHeader::uid).equals(current.map(ObjectHeader::uid));
                if (same || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                current = live;
            }
        }
    }

    private ObjectOutcome apply(Desired desired, Optional<ObjectHeader> current) throws OwnerGoneException {
        Ownership ownership = plan.ownership();
        HasMetadata owned = ownership.owned(desired.object(), desired.key());
        if (current.isEmpty()) {
            plan.memory().confirm(plan.used());
            owned.getMetadata().setResourceVersion(NO_VERSION);
            return ready(desired, client.apply(owned, ApplyOptions.defaults().withOptimisticLock()));
        }
        ObjectHeader header = current.get();
        if (ownership.isOfFormerOwner(header)) {
            return ObjectOutcome.of(
                    desired.kind(), desired.key(), State.OCCUPIED, "belongs to a former owner with this name");
        }
        String objection = ownership.objection(header);
        if (objection.isEmpty()
                && !ownership.isOurs(header)
                && !desired.settings().adopts()) {
            objection = "exists already and has no controller: delete it, or call adopt() after apply(...) (R4J-603)";
        }
        if (!objection.isEmpty()) {
            throw new IllegalStateException(Ownership.describe(desired.kind(), desired.key()) + " " + objection);
        }
        if (header.isBeingDeleted()) {
            return ObjectOutcome.of(desired.kind(), desired.key(), State.OCCUPIED, "is being deleted");
        }
        if (!ownership.isOurs(header)) {
            plan.memory().confirm(plan.used());
        }
        owned.getMetadata().setUid(header.uid());
        return ready(desired, client.apply(owned));
    }

    /** Call code of users. An error of it concerns this object alone, unless the JVM cannot be trusted any more. */
    private static Readiness.Status evaluate(Readiness readiness, HasMetadata applied) {
        Readiness.@Nullable Status status;
        try {
            status = readiness.of(applied);
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError error && !(e instanceof StackOverflowError)) {
                throw error;
            }
            throw new IllegalStateException("the readiness fails: " + Causes.message(e), e);
        }
        if (status == null) {
            throw new IllegalStateException(
                    "the readiness returns null: return Status.ready(...), waiting(...) or failed(...)");
        }
        return status;
    }

    private ObjectOutcome ready(Desired desired, HasMetadata applied) {
        Readiness readiness = desired.settings().readiness();
        if (readiness == null) {
            return ObjectOutcome.applied(desired.kind(), desired.key(), State.DONE, "", applied);
        }
        Readiness.Status status = evaluate(readiness, applied);
        if (status.state() == Readiness.State.READY) {
            times.forget(applied);
            return ObjectOutcome.applied(desired.kind(), desired.key(), State.DONE, status.message(), applied);
        }
        Duration limit = desired.settings().limit();
        State state = State.NOT_READY;
        String message = status.message();
        if (limit != null) {
            Duration left = limit.minus(times.unreadyFor(applied));
            if (left.isNegative() || left.isZero()) {
                state = State.TIMED_OUT;
                message += " (the limit is " + Pruning.text(limit) + ")";
            } else {
                earlier(left);
            }
        }
        return ObjectOutcome.applied(desired.kind(), desired.key(), state, message, applied);
    }
}
