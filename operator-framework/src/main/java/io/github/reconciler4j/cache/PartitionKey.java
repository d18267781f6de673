package io.github.reconciler4j.cache;

import io.github.reconciler4j.scheme.ObjectHeader;
import java.util.function.Function;

/**
 * What decides to which part an object of a kind belongs, see {@link Partition}. Objects that a reconciliation needs
 * together must be in one part, so the kinds of one controller use keys that fit:
 *
 * <ul>
 *   <li>{@link #namespace} for kinds whose objects refer to others of their namespace only. This is the default of namespaced
 *       kinds.
 *   <li>{@link #uid} for roots and {@link #owner} for the objects that they control. The default of cluster-scoped kinds is
 *       {@code uid}.
 *   <li>{@link #namespaceOf} and {@link #uidOf} for objects that belong to a namespace or a root in another way.
 *   <li>{@link #whole} for kinds that every process needs whole, such as a kind that objects of any namespace refer to. The
 *       default of the kind {@code Namespace}.
 * </ul>
 *
 * <p>Immutable.
 *
 * <!-- snippet: PartitionKeys -->
 * <pre>{@code
 * PartitionKey root = PartitionKey.uidOf(pod -> pod.labels().getOrDefault("example.com/app-uid", pod.uid()))
 *         .withId("app-uid");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class PartitionKey {

    private static final PartitionKey WHOLE = new PartitionKey(Type.WHOLE, header -> "", "");
    private static final PartitionKey NAMESPACE = new PartitionKey(Type.NAMESPACE, header -> "", "");
    private static final PartitionKey UID = new PartitionKey(Type.UID, header -> "", "");
    private static final PartitionKey OWNER = new PartitionKey(Type.OWNER, header -> "", "");

    private final Type type;
    private final Function<ObjectHeader, String> mapping;
    private final String id;

    private PartitionKey(Type type, Function<ObjectHeader, String> mapping, String id) {
        this.type = type;
        this.mapping = mapping;
        this.id = id;
    }

    /** Types of keys. */
    public enum Type {
        /** See {@link PartitionKey#whole}. */
        WHOLE,
        /** See {@link PartitionKey#namespace}. */
        NAMESPACE,
        /** See {@link PartitionKey#uid}. */
        UID,
        /** See {@link PartitionKey#owner}. */
        OWNER,
        /** See {@link PartitionKey#namespaceOf}. */
        NAMESPACE_OF,
        /** See {@link PartitionKey#uidOf}. */
        UID_OF
    }

    /** Return the key of a kind that is not divided. */
    public static PartitionKey whole() {
        return WHOLE;
    }

    /** Return the namespace as the key; the name for a cluster-scoped object, so that a namespace is where its objects are. */
    public static PartitionKey namespace() {
        return NAMESPACE;
    }

    /** Return the uid as the key. */
    public static PartitionKey uid() {
        return UID;
    }

    /**
     * Return the uid of the controller among the owner references as the key; the own uid without a controller. API servers
     * cannot evaluate it and send all objects.
     */
    public static PartitionKey owner() {
        return OWNER;
    }

    /**
     * Return a namespace as the key that a function returns. API servers cannot evaluate it and send all objects.
     *
     * @param mapping returns the namespace to which an object belongs, from its metadata alone; called by the threads that
     *     watch. If it throws, the namespace of the object is the key.
     */
    public static PartitionKey namespaceOf(Function<ObjectHeader, String> mapping) {
        return new PartitionKey(Type.NAMESPACE_OF, mapping, "custom");
    }

    /**
     * Return a uid as the key that a function returns. API servers cannot evaluate it and send all objects.
     *
     * @param mapping returns the uid of the root to which an object belongs, from its metadata alone; called by the threads
     *     that watch. If it throws, the uid of the object is the key.
     */
    public static PartitionKey uidOf(Function<ObjectHeader, String> mapping) {
        return new PartitionKey(Type.UID_OF, mapping, "custom");
    }

    /**
     * Return a copy of this key with an id for its function. A replica waits until no replica with other keys lives.
     * It cannot compare functions and compares their ids instead, so change the id whenever the function returns other values.
     *
     * @param newId any text, such as {@code tenant-v2}; {@code custom} by default
     * @throws IllegalArgumentException if the id is blank
     * @throws IllegalStateException if this key has no function: it is not of {@link #namespaceOf} or {@link #uidOf}
     */
    public PartitionKey withId(String newId) {
        if (newId.isBlank()) {
            throw new IllegalArgumentException("'id' must not be blank");
        }
        if (id.isEmpty()) {
            throw new IllegalStateException("'id' is for keys with a function; " + this + " has none");
        }
        return new PartitionKey(type, mapping, newId);
    }

    /** Return the id of the function of {@link #namespaceOf} or {@link #uidOf}; {@code ""} for other types. */
    public String id() {
        return id;
    }

    /** Return the type of the key. */
    public Type type() {
        return type;
    }

    /** Return the function of {@link #namespaceOf} or {@link #uidOf}; meaningless for other types. */
    public Function<ObjectHeader, String> mapping() {
        return mapping;
    }

    @Override
    public String toString() {
        return "PartitionKey[" + type + (id.isEmpty() ? "" : " " + id) + "]";
    }
}
