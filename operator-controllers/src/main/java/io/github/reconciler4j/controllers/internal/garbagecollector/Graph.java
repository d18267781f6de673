package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All objects and who owns whom, as far as watches have shown them. It decides which objects have to be looked at; whether
 * an owner is there, only the API server knows.
 *
 * <p>An owner that no watch has shown is a virtual node until one shows it, or the API server says that it is not there.
 * Thread-safe; a listener is called under the lock.
 */
final class Graph {

    private final Map<String, Node> nodes;
    private final AbsentOwners absent;

    Graph(AbsentOwners absent) {
        this(absent, new HashMap<>());
    }

    /** Create one with nodes by their uids, which it changes. */
    Graph(AbsentOwners absent, Map<String, Node> nodes) {
        this.absent = absent;
        this.nodes = nodes;
    }

    /** What is known about an object. */
    record View(boolean virtual, boolean beingDeleted, boolean deletingDependents) {}

    /**
     * An object that another one owns.
     *
     * @param blocking whether its owner must not go before it
     */
    record Dependent(ObjectId id, boolean blocking, boolean deletingDependents) {}

    synchronized void clear() {
        nodes.clear();
        absent.clear();
    }

    /** Return what is known about the object at a place; empty if it is gone, or if a watch has shown it at another one. */
    synchronized Optional<View> view(ObjectId id) {
        Node node = nodes.get(id.uid());
        return node == null || (!node.virtual && !node.id.equals(id))
                ? Optional.empty()
                : Optional.of(new View(node.virtual, node.beingDeleted, node.deletingDependents));
    }

    /** Return the objects that an object owns. */
    synchronized List<Dependent> dependents(ObjectId owner) {
        Node node = nodes.get(owner.uid());
        return node == null
                ? List.of()
                : node.dependents.stream()
                        .map(each -> new Dependent(each.id, each.blocks(node), each.deletingDependents))
                        .toList();
    }

    /** Return the owners that an object blocks. */
    synchronized List<OwnerRef> blockedOwners(ObjectId id) {
        Node node = nodes.get(id.uid());
        return node == null
                ? List.of()
                : node.owners.stream()
                        .filter(owner -> node.blockedOwners.contains(owner.uid()))
                        .toList();
    }

    /** Take over an object that a watch has shown; {@code before} is what the watch has shown last, null if nothing. */
    synchronized void present(@Nullable ObjectState before, ObjectState now, GraphListener listener) {
        Node node = nodes.get(now.id().uid());
        if (node == null) {
            node = new Node(now.id());
            node.take(now);
            node.beingDeleted = now.beingDeleted();
            node.deletingDependents = now.isDeletingDependents();
            nodes.put(now.id().uid(), node);
            addToOwners(node, node.owners, listener);
        } else {
            node = observed(node, now.id(), listener);
            updateOwners(node, now, listener);
            node.beingDeleted |= now.beingDeleted();
        }
        startDeletion(before, now, node, listener);
    }

    private static void startDeletion(
            @Nullable ObjectState before, ObjectState now, Node node, GraphListener listener) {
        if (now.isOrphaning() && (before == null || !before.isOrphaning())) {
            listener.orphan(node.id);
        } else if (now.isDeletingDependents() && (before == null || !before.isDeletingDependents())) {
            node.deletingDependents = true;
            collect(node.dependents, listener);
            listener.collect(node.id);
        }
    }

    /** Forget an object that a watch has shown to be deleted. */
    synchronized void gone(ObjectId id, GraphListener listener) {
        Node node = nodes.get(id.uid());
        if (node != null) {
            remove(observed(node, id, listener), id, listener);
        }
    }

    /** Forget that an object can be at a place, where the API server has none with its uid. */
    synchronized void absent(ObjectId id, GraphListener listener) {
        Node node = nodes.get(id.uid());
        if (node == null) {
            return;
        }
        Identities.Partition dependents = Identities.partition(node.dependents, id);
        boolean elsewhere = node.virtual ? !dependents.others().isEmpty() : !node.id.equals(id);
        if (!elsewhere) {
            remove(node, id, listener);
            return;
        }
        if (!dependents.matching().isEmpty()) {
            absent.add(id);
            collect(dependents.matching(), listener);
        }
        if (node.virtual && node.id.equals(id)) {
            Identities.alternative(dependents.others(), id).ifPresent(place -> {
                nodes.put(id.uid(), node.at(place));
                listener.collectLater(place);
            });
        }
    }

    /** Put a node at the place where a watch has shown its object. Dependents that name another place are looked at. */
    private Node observed(Node node, ObjectId place, GraphListener listener) {
        if (!node.virtual) {
            return node;
        }
        Node real = node;
        if (!node.id.equals(place)) {
            for (Node dependent : Identities.partition(node.dependents, place).others()) {
                if (place.isNamespaced() && !place.namespace().equals(dependent.id.namespace())) {
                    reportNamespace(dependent, place.uid(), listener);
                }
                listener.collect(dependent.id);
            }
            real = node.at(place);
            nodes.put(place.uid(), real);
        }
        real.virtual = false;
        return real;
    }

    private static void reportNamespace(Node dependent, String owner, GraphListener listener) {
        dependent.owners.stream()
                .filter(reference -> reference.uid().equals(owner))
                .findFirst()
                .ifPresent(reference -> listener.invalidNamespace(dependent.id, reference));
    }

    private void addToOwners(Node node, Collection<OwnerRef> owners, GraphListener listener) {
        boolean doubtful = false;
        for (OwnerRef reference : owners) {
            Node owner = nodes.get(reference.uid());
            if (owner == null) {
                owner = Node.virtual(ObjectId.of(reference, node.id.namespace()));
                nodes.put(reference.uid(), owner);
                owner.dependents.add(node);
                listener.collect(owner.id);
            } else {
                owner.dependents.add(node);
                doubtful = doubtful || isDoubtful(node, reference, owner, listener);
            }
        }
        if (doubtful) {
            listener.collect(node.id);
        }
    }

    /** Return whether a reference and the node with its uid disagree, or may, so that the API server has to say. */
    private static boolean isDoubtful(Node node, OwnerRef reference, Node owner, GraphListener listener) {
        boolean sameNamespace = owner.id.namespace().equals(node.id.namespace());
        if (owner.id.isNamespaced() && !sameNamespace) {
            if (!owner.virtual) {
                reportNamespace(node, reference.uid(), listener);
            }
            return true;
        }
        return !owner.id.isNamedBy(reference) || (!sameNamespace && owner.virtual);
    }

    private void updateOwners(Node node, ObjectState now, GraphListener listener) {
        Map<String, OwnerRef> gone = new HashMap<>();
        node.owners.forEach(owner -> gone.put(owner.uid(), owner));
        List<OwnerRef> added = new ArrayList<>();
        for (OwnerRef owner : now.owners()) {
            if (gone.remove(owner.uid()) == null) {
                added.add(owner);
            }
        }
        Set<String> unblocked = new HashSet<>(node.blockedOwners);
        unblocked.removeAll(now.blockedOwners());
        unblocked.stream()
                .map(nodes::get)
                .filter(Objects::nonNull)
                .forEach(owner -> listener.collect(Objects.requireNonNull(owner).id));
        node.take(now);
        addToOwners(node, added, listener);
        removeFromOwners(node, gone.keySet());
    }

    private void removeFromOwners(Node node, Collection<String> owners) {
        for (String uid : owners) {
            Node owner = nodes.get(uid);
            if (owner != null) {
                owner.dependents.remove(node);
            }
        }
    }

    private void remove(Node node, ObjectId place, GraphListener listener) {
        nodes.remove(place.uid());
        List<String> owners = node.owners.stream().map(OwnerRef::uid).toList();
        removeFromOwners(node, owners);
        if (!node.dependents.isEmpty()) {
            absent.add(place);
            collect(node.dependents, listener);
        }
        for (String uid : owners) {
            Node owner = nodes.get(uid);
            if (owner != null && owner.deletingDependents) {
                listener.collect(owner.id);
            }
        }
    }

    private static void collect(Collection<Node> dependents, GraphListener listener) {
        dependents.forEach(dependent -> listener.collect(dependent.id));
    }
}
