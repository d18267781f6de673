package io.github.reconciler4j.plan;

import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.plan.PlannedChange.Effect;
import io.github.reconciler4j.scheme.KindName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Changes with the same cause: the same fields of the same kind change in the same way. Objects of which each has values of its own
 * are one group, too. Immutable.
 *
 * @param fields the fields whose values are the same in all objects; none for what is created or pruned, where they say nothing about
 *     the cause
 */
record ChangeGroup(Effect effect, KindName kind, String subresource, List<Change> fields, List<PlannedChange> changes) {

    /** What the changes of a group have in common. */
    private record Cause(Effect effect, KindName kind, String subresource, List<?> fields) {}

    /** Return the groups of changes: by effect, and the largest first. */
    static List<ChangeGroup> of(List<PlannedChange> changes) {
        List<ChangeGroup> all = new ArrayList<>();
        List<PlannedChange> single = new ArrayList<>();
        for (List<PlannedChange> same : grouped(changes, ChangeGroup::named)) {
            if (same.size() == 1) {
                single.addAll(same);
            } else {
                all.add(group(same));
            }
        }
        grouped(single, change -> named(change).stream().map(Change::path).toList())
                .forEach(members -> all.add(group(members)));
        all.sort((one, other) -> one.effect != other.effect
                ? one.effect.compareTo(other.effect)
                : Integer.compare(other.changes.size(), one.changes.size()));
        return all;
    }

    private static Collection<List<PlannedChange>> grouped(
            List<PlannedChange> changes, Function<PlannedChange, List<?>> fields) {
        Map<Cause, List<PlannedChange>> groups = new LinkedHashMap<>();
        for (PlannedChange change : changes) {
            Cause cause = new Cause(change.effect(), change.kind(), change.subresource(), fields.apply(change));
            groups.computeIfAbsent(cause, key -> new ArrayList<>()).add(change);
        }
        return groups.values();
    }

    private static ChangeGroup group(List<PlannedChange> members) {
        PlannedChange first = members.get(0);
        List<Change> same = named(first).stream()
                .filter(field ->
                        members.stream().allMatch(member -> member.fields().contains(field)))
                .toList();
        return new ChangeGroup(first.effect(), first.kind(), first.subresource(), same, List.copyOf(members));
    }

    private static List<Change> named(PlannedChange change) {
        return change.effect() == Effect.CHANGED || change.effect() == Effect.REPLACED ? change.fields() : List.of();
    }

    /** Return the fields of a change that it alone has. */
    List<Change> own(PlannedChange change) {
        return named(change).stream().filter(field -> !fields.contains(field)).toList();
    }
}
