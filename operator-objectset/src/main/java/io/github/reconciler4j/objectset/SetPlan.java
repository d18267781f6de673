package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.objectset.KindMemory.UsedKind;
import io.github.reconciler4j.objectset.ObjectSet.Part;
import io.github.reconciler4j.objectset.ObjectSet.Settings;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A set with what has to be known before anything is written: the kinds and keys of its objects, and which parts are skipped.
 * For one thread.
 */
final class SetPlan {

    private final ObjectSet set;
    private final SetKinds kinds;
    private final Client client;
    private final Ownership ownership;
    private final KindMemory memory;
    private final Kind<?> ownerKind;
    private final KindInfo ownerInfo;
    private final Map<KindName, Boolean> served = new LinkedHashMap<>();
    private final Map<Child, Boolean> children = new LinkedHashMap<>();
    private final Set<UsedKind> used = new LinkedHashSet<>();
    private final Set<KindName> optional = new LinkedHashSet<>();
    private final List<Kind<?>> pruned = new ArrayList<>();

    SetPlan(ObjectSet set, SetKinds kinds) {
        this.set = set;
        this.kinds = kinds;
        this.client = kinds.client();
        this.ownerKind = kindOf(set.owner());
        this.ownerInfo = infoOf(ownerKind);
        this.ownership = new Ownership(set.owner(), ownerInfo, set.name());
        this.memory = new KindMemory(client, ownerKind, ObjectKey.of(set.owner()), ownership.uid(), set.name());
        collect(set);
    }

    /** The identity of an object of a set, whatever the version of its kind. */
    record Child(String group, String kind, ObjectKey key) {

        static Child of(KindName kind, ObjectKey key) {
            return new Child(kind.group(), kind.kind(), key);
        }
    }

    /** An object of the set. */
    record Desired(HasMetadata object, Kind<?> kind, ObjectKey key, Settings settings) {

        Child child() {
            return Child.of(kind.name(), key);
        }
    }

    Ownership ownership() {
        return ownership;
    }

    Kind<?> ownerKind() {
        return ownerKind;
    }

    KindMemory memory() {
        return memory;
    }

    /** Return the kinds of the objects of all steps that are not skipped. */
    Set<UsedKind> used() {
        return used;
    }

    boolean contains(Child child) {
        return children.containsKey(child);
    }

    /** Return whether a part is skipped because the API server does not serve its kind. */
    boolean isAbsent(Part part) {
        return part.served() != null && !serves(part.served());
    }

    private boolean serves(Kind<?> kind) {
        return served.computeIfAbsent(kind.name(), name -> kinds.serves(kind));
    }

    /** Return the kinds that are not served. */
    List<KindName> absentKinds() {
        return served.entrySet().stream()
                .filter(each -> !each.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void collect(ObjectSet nested) {
        nested.pruned().forEach(kind -> requireWatch(kind, "prunes"));
        pruned.addAll(nested.pruned());
        for (List<Part> step : nested.steps()) {
            step.forEach(this::collect);
        }
    }

    private void collect(Part part) {
        ObjectSet nested = part.nested();
        if (nested != null) {
            if (isAbsent(part)) {
                return;
            }
            if (part.served() != null) {
                optional.add(part.served().name());
                follow(part.served());
            }
            collect(nested);
            return;
        }
        if (part.kind() != null) {
            requireWatch(part.kind(), "owns");
            use(part.kind(), !ownership.canReferTo(typicalKey(part.kind())));
        }
        desired(part).forEach(this::add);
    }

    /** Return the key of an object of a kind in the place where most are. */
    private ObjectKey typicalKey(Kind<?> kind) {
        String namespace = set.owner().getMetadata().getNamespace();
        return new ObjectKey(infoOf(kind).namespaced() && namespace != null ? namespace : "", "any");
    }

    private void add(Desired desired) {
        requireWatch(desired.kind(), "owns");
        if (children.put(desired.child(), true) != null) {
            throw new IllegalArgumentException("The set of " + Ownership.describe(set.owner()) + " contains "
                    + Ownership.describe(desired.kind(), desired.key()) + " twice: apply each object once");
        }
        boolean labeled = !ownership.canReferTo(desired.key());
        if (labeled && hasNoFinalizer(set.owner())) {
            throw new IllegalStateException(Ownership.describe(desired.kind(), desired.key()) + " cannot refer to "
                    + Ownership.describe(set.owner()) + ", so Kubernetes does not delete it with its owner: let the"
                    + " reconciler implement Cleaner and return ObjectSets.delete(set).toCleanupResult() (R4J-605)");
        }
        use(desired.kind(), labeled);
    }

    private static boolean hasNoFinalizer(HasMetadata owner) {
        List<String> finalizers = owner.getMetadata().getFinalizers();
        return finalizers == null || finalizers.isEmpty();
    }

    private void use(Kind<?> kind, boolean labeled) {
        used.add(new UsedKind(kind.name(), labeled, optional.contains(kind.name())));
    }

    /** Watch a kind that may be absent, and is not now. */
    void follow(Kind<?> kind) {
        if (kinds.watched(kind.name()).isEmpty()) {
            infoOf(kind);
            kinds.follow(kind, ownerInfo);
        }
    }

    /** Return the kinds that the set does not create any more. */
    List<Kind<?>> pruned() {
        return pruned;
    }

    private void requireWatch(Kind<?> kind, String relation) {
        if (kinds.watched(kind.name()).isEmpty()) {
            throw new IllegalStateException(
                    "The set of " + Ownership.describe(set.owner()) + " uses " + kind + ", which controller '"
                            + kinds.controller() + "' does not watch: add " + rule(kind, relation) + " (R4J-602)");
        }
    }

    /** Return what to add to a controller, for an annotated one and for a builder. */
    static String rule(Kind<?> kind, String relation) {
        String type = kind.type().map(Class::getSimpleName).orElse("");
        String annotation = relation.equals("owns") ? "@Owns" : "@Prunes";
        return type.isEmpty()
                ? annotation + "(kind = \"" + kind + "\"), or ." + relation + "(...) to its builder"
                : annotation + "(" + type + ".class), or ." + relation + "(" + type + ".class) to its builder";
    }

    /** Return the objects of a part. */
    List<Desired> desired(Part part) {
        List<Desired> all = new ArrayList<>();
        for (HasMetadata object : part.objects()) {
            Kind<?> kind = kindOf(object);
            all.add(new Desired(object, kind, ownership.keyOf(object, infoOf(kind)), part.settings()));
        }
        return all;
    }

    static Kind<?> kindOf(HasMetadata object) {
        return object instanceof GenericKubernetesResource
                ? Kind.of(object.getApiVersion(), object.getKind())
                : Kind.of(object.getClass());
    }

    /** Return plural and scope of a kind; ask the API server if the scheme does not know it. */
    KindInfo infoOf(Kind<?> kind) {
        try {
            return client.scheme().kindOf(kind);
        } catch (UnknownKindException e) {
            KindInfo found = client.discovery()
                    .find(kind.name())
                    .map(each -> each.info())
                    .orElseThrow(() -> e);
            client.scheme().register(found);
            return found;
        }
    }

    /** Return the kind with this group and kind in the version that the controller watches. */
    Optional<Kind<?>> watched(KindName kind) {
        return kinds.watched(kind).map(Kind::of);
    }
}
