package io.github.reconciler4j.objectset;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.objectset.KindMemory.OwnerGoneException;
import io.github.reconciler4j.objectset.KindMemory.UsedKind;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.objectset.ObjectSet.Part;
import io.github.reconciler4j.objectset.SetPlan.Desired;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LruMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One call of the deletion of a set: what the set does not contain first, then the objects of its steps, the last step first. The
 * next step is deleted when the server has none of the objects before. For one thread.
 */
final class SetDeletion {

    private final ObjectSet set;
    private final Client client;
    private final LruMap<Gone, Boolean> gone;
    private final SetPlan plan;
    private final Pruning pruning;
    private final List<ObjectOutcome> outcomes = new ArrayList<>();

    /** An object of a deleted owner that the server did not have. */
    record Gone(String ownerUid, KindName kind, ObjectKey key) {}

    SetDeletion(ObjectSet set, SetKinds kinds, LruMap<Gone, Boolean> gone) {
        this.set = set;
        this.client = kinds.client();
        this.gone = gone;
        this.plan = new SetPlan(set, kinds);
        this.pruning = new Pruning(plan, kinds, set, kind -> false);
    }

    ObjectSetResult run() {
        boolean isGone = true;
        try {
            Set<UsedKind> remembered = plan.memory().read();
            Map<KindName, Boolean> all = pruning.lastFirst(remembered);
            all.keySet().forEach(name -> pruning.followOptional(remembered, name));
            for (Map.Entry<KindName, Boolean> each : all.entrySet()) {
                isGone &= deleteSurplus(each.getKey(), each.getValue(), client);
            }
            isGone = isGone ? delete(set) : block(set) || plan(set);
            isGone = isGone && isConfirmed(all);
        } catch (OwnerGoneException e) {
            isGone = true;
        }
        return new ObjectSetResult(
                outcomes,
                pruning.ruleProblems(),
                List.of(),
                new ObjectSetResult.Next(null, !isGone, pruning.isLabeledProblem()));
    }

    /** Delete what the owner has of a kind and the set does not contain; return whether there is nothing. */
    private boolean deleteSurplus(KindName name, boolean labeled, Reader reader) {
        Optional<Kind<?>> kind = pruning.find(name, labeled);
        boolean none = true;
        if (kind.isPresent()) {
            for (ObjectHeader header : pruning.owned(reader, kind.get(), labeled)) {
                boolean isSurplus = !plan.contains(SetPlan.Child.of(name, header.key()));
                none &= !isSurplus || delete(kind.get(), header);
            }
        }
        return none;
    }

    /** Kubernetes does not delete what has the label only, so ask the server before the owner goes. */
    private boolean isConfirmed(Map<KindName, Boolean> all) {
        boolean none = true;
        for (Map.Entry<KindName, Boolean> each : all.entrySet()) {
            Optional<Kind<?>> kind = each.getValue() ? plan.watched(each.getKey()) : Optional.empty();
            if (kind.isPresent()) {
                for (ObjectHeader header : pruning.labeled(client.live(), kind.get())) {
                    none &= delete(kind.get(), header);
                }
            }
        }
        return none;
    }

    /** Delete an object; return whether it does not keep others waiting. */
    private boolean delete(Kind<?> kind, ObjectHeader header) {
        ObjectOutcome outcome = pruning.delete(kind, header);
        outcomes.add(outcome);
        return outcome.state() == State.KEPT;
    }

    private boolean block(ObjectSet nested) {
        nested.steps().forEach(step -> step.forEach(this::block));
        return false;
    }

    private void block(Part part) {
        if (part.nested() != null) {
            if (!plan.isAbsent(part)) {
                block(part.nested());
            }
            return;
        }
        for (Desired desired : plan.desired(part)) {
            outcomes.add(ObjectOutcome.of(desired.kind(), desired.key(), State.BLOCKED, "is deleted after others"));
        }
    }

    /** In a plan, show what will be deleted later. */
    private boolean plan(ObjectSet nested) {
        nested.steps().forEach(this::plan);
        return false;
    }

    @SuppressWarnings("try") // the scope lasts as long as the block
    private void plan(List<Part> step) {
        if (PlanScope.isActive()) {
            String awaited = outcomes.stream()
                    .filter(outcome -> outcome.state() == State.PRUNED)
                    .map(outcome -> outcome.kind().kind() + " " + outcome.key())
                    .findFirst()
                    .orElse("");
            try (PlanScope later = PlanScope.after(awaited)) {
                step.forEach(this::delete);
            }
        }
    }

    private boolean delete(ObjectSet nested) {
        boolean isGone = true;
        List<List<Part>> steps = new ArrayList<>(nested.steps());
        Collections.reverse(steps);
        for (List<Part> step : steps) {
            if (isGone) {
                for (Part part : step) {
                    isGone &= delete(part);
                }
            } else {
                step.forEach(this::block);
                plan(step);
            }
        }
        return isGone;
    }

    private boolean delete(Part part) {
        if (part.nested() != null) {
            return plan.isAbsent(part) || delete(part.nested());
        }
        boolean isGone = true;
        for (Desired desired : plan.desired(part)) {
            Optional<ObjectHeader> header = find(desired);
            isGone &= header.isEmpty() || delete(desired.kind(), header.get());
        }
        return isGone;
    }

    /**
     * Return an object if it is ours. The server is asked once whether it has ours when the cache has none: a late cache may lack it, or
     * have another object that had the name before.
     */
    private Optional<ObjectHeader> find(Desired desired) {
        Gone key = new Gone(plan.ownership().uid(), desired.kind().name(), desired.key());
        Optional<ObjectHeader> ours = read(client, desired);
        if (ours.isEmpty() && gone.get(key) == null && !PlanScope.isActive()) {
            ours = read(client.live(), desired);
            if (ours.isEmpty()) {
                gone.put(key, true);
            }
        }
        return ours;
    }

    private Optional<ObjectHeader> read(Reader reader, Desired desired) {
        Optional<ObjectHeader> none = Optional.empty();
        return pruning.read(reader, each -> each.get(desired.kind().metadata(), desired.key()), none)
                .filter(plan.ownership()::isOurs);
    }
}
