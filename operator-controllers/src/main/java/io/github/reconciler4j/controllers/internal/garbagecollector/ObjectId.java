package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.Comparator;

/**
 * Where an object is, or is said to be. Owner references are written by users, so two of them can disagree about the
 * place of one uid.
 *
 * @param namespace the namespace, {@code ""} for a cluster-scoped object
 */
record ObjectId(String apiVersion, String kind, String namespace, String name, String uid) {

    /** The order of kinds first, so that it does not depend on the scope of a kind. */
    static final Comparator<ObjectId> ORDER = Comparator.comparing(ObjectId::kind)
            .thenComparing(ObjectId::apiVersion)
            .thenComparing(ObjectId::namespace)
            .thenComparing(ObjectId::name)
            .thenComparing(ObjectId::uid);

    /** Return the place that an owner reference names, for an owner in this namespace. */
    static ObjectId of(OwnerRef owner, String namespace) {
        return new ObjectId(owner.apiVersion(), owner.kind(), namespace, owner.name(), owner.uid());
    }

    ObjectId inNamespace(String newNamespace) {
        return new ObjectId(apiVersion, kind, newNamespace, name, uid);
    }

    ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    boolean isNamespaced() {
        return !namespace.isEmpty();
    }

    /** Return whether an owner reference says the same about kind, name and uid. It says nothing about the namespace. */
    boolean isNamedBy(OwnerRef owner) {
        return uid.equals(owner.uid())
                && name.equals(owner.name())
                && kind.equals(owner.kind())
                && apiVersion.equals(owner.apiVersion());
    }

    /** Return the text that events have. */
    @Override
    public String toString() {
        return "[" + apiVersion + "/" + kind + ", namespace: " + namespace + ", name: " + name + ", uid: " + uid + "]";
    }
}
