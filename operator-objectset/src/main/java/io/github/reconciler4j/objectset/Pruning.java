package io.github.reconciler4j.objectset;

import io.github.reconciler4j.brake.Brake;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.objectset.KindMemory.OwnerGoneException;
import io.github.reconciler4j.objectset.KindMemory.UsedKind;
import io.github.reconciler4j.objectset.ObjectOutcome.State;
import io.github.reconciler4j.objectset.SetPlan.Child;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes what an owner has and its set does not contain. For one thread. */
final class Pruning {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectSets.class);
    private static final int MAX_ATTEMPTS = 4;

    private final SetPlan plan;
    private final SetKinds kinds;
    private final Client client;
    private final ObjectSet set;
    private final Predicate<KindName> held;
    private final List<String> ruleProblems = new ArrayList<>();
    private boolean labeledProblem;

    /**
     * Create it.
     *
     * @param held returns whether objects of a kind stay because their step has not had its turn
     */
    Pruning(SetPlan plan, SetKinds kinds, ObjectSet set, Predicate<KindName> held) {
        this.plan = plan;
        this.kinds = kinds;
        this.client = kinds.client();
        this.set = set;
        this.held = held;
    }

    /** Return what to add to the controller so that everything is deleted. */
    List<String> ruleProblems() {
        return ruleProblems;
    }

    /** Return whether one of the problems is about objects that Kubernetes does not delete with the owner. */
    boolean isLabeledProblem() {
        return labeledProblem;
    }

    /**
     * Delete what the set does not contain, the kinds that were used last first.
     *
     * @param awaited the object that steps wait for, for plans
     */
    @SuppressWarnings("try") // the scope lasts as long as the block
    List<ObjectOutcome> prune(Set<UsedKind> remembered, String awaited) throws OwnerGoneException {
        List<ObjectOutcome> outcomes = new ArrayList<>();
        Set<UsedKind> over = new LinkedHashSet<>();
        for (Map.Entry<KindName, Boolean> entry : lastFirst(remembered).entrySet()) {
            KindName name = entry.getKey();
            boolean explicit = isDeclared(name);
            boolean later = !explicit && held.test(name);
            if (later && !PlanScope.isActive()) {
                continue;
            }
            followOptional(remembered, name);
            Optional<Kind<?>> kind = find(name, entry.getValue());
            if (kind.isEmpty() || !kinds.isSynced(kind.get())) {
                continue;
            }
            List<ObjectHeader> found = surplus(kind.get(), entry.getValue());
            try (PlanScope scope = PlanScope.isActive() ? PlanScope.after(later ? awaited : "") : null) {
                found.forEach(header -> outcomes.add(delete(kind.get(), header)));
            }
            if (found.isEmpty()) {
                over.addAll(ofKind(remembered, name));
            }
        }
        over.removeIf(each -> ofKind(plan.used(), each.kind()).contains(each));
        if (!PlanScope.isActive()) {
            forget(over);
        }
        return outcomes;
    }

    /** Return the kinds to look at with whether objects can have the label, those of later steps first. */
    Map<KindName, Boolean> lastFirst(Set<UsedKind> remembered) {
        List<UsedKind> all = new ArrayList<>();
        plan.used().forEach(all::add); // in the order of the set
        remembered.stream().filter(each -> !plan.used().contains(each)).forEach(all::add);
        Map<KindName, Boolean> kindsToSee = new LinkedHashMap<>();
        Collections.reverse(all);
        for (UsedKind each : all) {
            kindsToSee.merge(each.kind(), each.labeled(), Boolean::logicalOr);
        }
        plan.pruned().forEach(kind -> kindsToSee.putIfAbsent(kind.name(), true));
        kinds.pruned().forEach(kind -> kindsToSee.putIfAbsent(kind, true));
        return kindsToSee;
    }

    /** Watch a remembered kind that was optional, so that what is left of it is seen. */
    void followOptional(Set<UsedKind> remembered, KindName name) {
        boolean optional = ofKind(remembered, name).stream().anyMatch(UsedKind::optional);
        if (optional && kinds.serves(Kind.of(name))) {
            plan.follow(Kind.of(name));
        }
    }

    private boolean isDeclared(KindName name) {
        return plan.pruned().stream().anyMatch(each -> each.name().sameGroupKind(name))
                || kinds.pruned().stream().anyMatch(each -> each.sameGroupKind(name));
    }

    private static Set<UsedKind> ofKind(Set<UsedKind> all, KindName kind) {
        Set<UsedKind> found = new LinkedHashSet<>();
        all.stream().filter(each -> each.kind().sameGroupKind(kind)).forEach(found::add);
        return found;
    }

    /** Return a kind in the version that the controller watches; empty if it watches none, or there is no such kind. */
    Optional<Kind<?>> find(KindName name, boolean labeled) {
        Optional<Kind<?>> kind = plan.watched(name);
        if (kind.isEmpty() && kinds.serves(Kind.of(name))) {
            labeledProblem |= labeled;
            Kind<?> typed = client.scheme()
                    .typeOf(name)
                    .<Kind<?>>map(type -> Kind.of(type))
                    .orElse(Kind.of(name));
            ruleProblems.add(name + " objects that the set used before are not deleted, because controller '"
                    + kinds.controller() + "' does not watch the kind: add " + SetPlan.rule(typed, "prunes")
                    + " (R4J-601)");
        }
        return kind.filter(each -> plan.absentKinds().stream().noneMatch(each.name()::sameGroupKind));
    }

    /** Return what the owner has of a kind and the set does not contain. */
    List<ObjectHeader> surplus(Kind<?> kind, boolean labeled) {
        return owned(client, kind, labeled).stream()
                .filter(header -> !plan.contains(Child.of(kind.name(), header.key())))
                .toList();
    }

    /** Return what the owner has of a kind. */
    List<ObjectHeader> owned(Reader reader, Kind<?> kind, boolean labeled) {
        List<ObjectHeader> all =
                new ArrayList<>(read(reader, each -> each.listOwned(set.owner(), kind.metadata()), List.of()));
        if (labeled) {
            all.addAll(labeled(reader, kind));
        }
        return all.stream().filter(plan.ownership()::isOurs).distinct().toList();
    }

    /** Read objects of a kind. If its definition was deleted, so were they: then return the given value. */
    <R> R read(Reader reader, Function<Reader, R> reading, R none) {
        try {
            return reading.apply(reader);
        } catch (KindUnavailableException e) { // the cache has lost the kind, the server knows why
            return read(client.live(), reading, none);
        } catch (KindNotServedException e) {
            return none;
        }
    }

    /** Return what has the label of the owner. */
    List<ObjectHeader> labeled(Reader reader, Kind<?> kind) {
        kinds.indexLabel(kind, Ownership.OWNER_UID);
        String selector = Ownership.OWNER_UID + "=" + plan.ownership().uid();
        Selection labeled = Selection.all().withLabelSelector(selector);
        return read(reader, each -> each.list(kind.metadata(), labeled), List.<ObjectHeader>of()).stream()
                .filter(plan.ownership()::isOurs)
                .toList();
    }

    /** Delete an object in the state that is known; if that is not the current one, decide again. */
    ObjectOutcome delete(Kind<?> kind, ObjectHeader known) {
        ObjectKey key = known.key();
        try {
            ObjectHeader header = known;
            for (int attempt = 1; ; attempt++) {
                if (Ownership.isKept(header)) {
                    return ObjectOutcome.of(kind, key, State.KEPT, "");
                }
                if (header.isBeingDeleted()) {
                    return ObjectOutcome.of(kind, key, State.PRUNED, "is being deleted");
                }
                try {
                    send(kind, header);
                    return ObjectOutcome.of(kind, key, State.PRUNED, "");
                } catch (ConflictException e) {
                    if (attempt == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
                Optional<ObjectHeader> live = client.live().get(kind.metadata(), key);
                if (live.filter(plan.ownership()::isOurs).isEmpty()) {
                    return ObjectOutcome.of(kind, key, State.PRUNED, "is gone");
                }
                header = live.get();
            }
        } catch (RequestInterruptedException | WriteRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            return ObjectOutcome.failed(kind, key, e);
        }
    }

    /** Send a deletion, which the brake counts unless the kind is retired. */
    private void send(Kind<?> kind, ObjectHeader header) {
        boolean retired =
                isDeclared(kind.name()) && ofKind(plan.used(), kind.name()).isEmpty();
        DeletionOptions options =
                DeletionOptions.defaults().withUid(header.uid()).withResourceVersion(header.resourceVersion());
        Brake.delete(set.owner(), header, retired, () -> client.delete(kind, header.key(), options));
    }

    /** Forget kinds of which the server has nothing either. If that cannot be asked, they stay. */
    private void forget(Set<UsedKind> over) throws OwnerGoneException {
        Set<UsedKind> gone = new LinkedHashSet<>();
        for (UsedKind used : over) {
            Optional<Kind<?>> kind = plan.watched(used.kind());
            try {
                if (kind.isPresent()
                        && owned(client.live(), kind.get(), used.labeled()).isEmpty()) {
                    gone.add(used);
                }
            } catch (RequestInterruptedException e) {
                throw e;
            } catch (ApiException e) {
                LOG.debug("It is not known whether {} has {} objects: {}", set, used.kind(), e.getMessage());
            }
        }
        if (!gone.isEmpty()) {
            plan.memory().remove(gone);
        }
    }

    /** Return a time for people, such as {@code 1m30s}. */
    static String text(Duration time) {
        return time.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
