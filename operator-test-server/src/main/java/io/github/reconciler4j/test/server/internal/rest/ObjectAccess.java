package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes objects with all the rules of the server around each write, for requests and for the server's own
 * work alike. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ObjectAccess {
    private final VersionedStore store;
    private final Registry registry;
    private final Clock clock;
    private final KindRules rules;
    private final List<WriteHook> hooks = new CopyOnWriteArrayList<>();
    private final Creation creation;
    private final Modification modification;
    private final Removal removal;

    /** Access to a store. */
    public ObjectAccess(VersionedStore store, Registry registry, Clock clock) {
        this.store = store;
        this.registry = registry;
        this.clock = clock;
        rules = new KindRules();
        creation = new Creation(this);
        modification = new Modification(this, creation);
        removal = new Removal(this);
    }

    /** Has the hook called after every write from now on. */
    public void addHook(WriteHook hook) {
        hooks.add(hook);
    }

    /** What holds the objects. */
    public VersionedStore store() {
        return store;
    }

    /** The kinds. */
    public Registry registry() {
        return registry;
    }

    /** What differs from kind to kind. */
    public KindRules rules() {
        return rules;
    }

    /** The time by the server's clock. */
    public Instant now() {
        return clock.instant();
    }

    /** The object as it is now, or null. */
    public @Nullable ObjectNode find(ResourceType type, ObjectName name) {
        StoredObject stored = store.get(type.id(), name);
        return stored == null ? null : Representation.inVersion(type, stored.tree());
    }

    /**
     * Creates an object.
     *
     * @param namespace where, empty for cluster-scoped kinds
     * @return the object as stored, or in a dry run as it would be
     */
    public ObjectNode create(ResourceType type, String namespace, ObjectNode object, WriteContext context) {
        return creation.create(type, namespace, object, context);
    }

    /**
     * Changes an object, again and again until no other write came between.
     *
     * @param subresource the part to change; empty for the object without its status
     * @param change takes the object as it is and returns it as it is to be
     */
    public Written update(
            ResourceType type,
            ObjectName name,
            String subresource,
            UnaryOperator<ObjectNode> change,
            WriteContext context) {
        return modification.update(new Modification.Request(type, name, subresource, change, null, false), context);
    }

    /** Changes an object, or creates it, as the request says in detail. */
    Written update(Modification.Request request, WriteContext context) {
        return modification.update(request, context);
    }

    /** Deletes an object, or begins to: finalizers and grace may keep it for a while. */
    public Removed delete(ResourceType type, ObjectName name, DeleteOptions options, WriteContext context) {
        return removal.delete(type, name, options, context);
    }

    void announce(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        for (WriteHook hook : hooks) {
            hook.written(type, before, after);
        }
    }

    /**
     * The end of an update.
     *
     * @param object the object as stored
     * @param created whether it was created
     * @since 0.1.0
     */
    public record Written(ObjectNode object, boolean created) {}

    /**
     * The end of a removal.
     *
     * @param object the object in its last known state
     * @param gone whether it is gone; else it waits for finalizers or its grace period
     * @since 0.1.0
     */
    public record Removed(ObjectNode object, boolean gone) {}
}
