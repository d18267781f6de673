package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.Admission;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes objects with all the rules of the server around each write, for requests and for the server's own
 * work alike. Safe for use by multiple threads.
 */
public final class ObjectAccess {
    private final VersionedStore store;
    private final Registry registry;
    private final Clock clock;
    private final KindRules rules;
    private final WebhookCaller webhooks;
    private final Admission admission;
    private final Plugins plugins;
    private final Quotas quotas;
    private final List<WriteHook> hooks = new CopyOnWriteArrayList<>();
    private final Creation creation;
    private final Modification modification;
    private final Removal removal;

    /** Create the access. {@code webhooks} calls the webhooks of the cluster. */
    public ObjectAccess(VersionedStore store, Registry registry, Clock clock, WebhookCaller webhooks) {
        this.store = store;
        this.registry = registry;
        this.clock = clock;
        this.webhooks = webhooks;
        rules = new KindRules();
        admission = new Admission(new Admission.Parts(store, registry, webhooks, rules::complete));
        plugins = new Plugins(store);
        quotas = new Quotas(this);
        hooks.add(quotas);
        creation = new Creation(this);
        modification = new Modification(this, creation);
        removal = new Removal(this);
    }

    /** Has the hook called after every write from now on. */
    public void addHook(WriteHook hook) {
        hooks.add(hook);
    }

    public VersionedStore store() {
        return store;
    }

    public Registry registry() {
        return registry;
    }

    public WebhookCaller webhooks() {
        return webhooks;
    }

    public Admission admission() {
        return admission;
    }

    Plugins plugins() {
        return plugins;
    }

    Quotas quotas() {
        return quotas;
    }

    public KindRules rules() {
        return rules;
    }

    public Instant now() {
        return clock.instant();
    }

    /** Return the object as it is now, or null. */
    public @Nullable ObjectNode find(ResourceType type, ObjectName name) {
        StoredObject stored = store.get(type.id(), name);
        return stored == null ? null : Representation.inVersion(type, stored);
    }

    /**
     * Create an object.
     *
     * @param namespace where, empty for cluster-scoped kinds
     * @return the object as stored, or in a dry run as it would be
     */
    public ObjectNode create(ResourceType type, String namespace, ObjectNode object, WriteContext context) {
        return creation.create(type, namespace, object, context);
    }

    /**
     * Change an object, again and again until no other write came between.
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

    /** Change an object, or creates it, as the request says in detail. */
    Written update(Modification.Request request, WriteContext context) {
        return modification.update(request, context);
    }

    /** Delete an object, or mark it as deleted if finalizers or a grace period keep it. */
    public Removed delete(ResourceType type, ObjectName name, DeleteOptions options, WriteContext context) {
        return removal.delete(type, name, options, context);
    }

    void announce(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        for (WriteHook hook : hooks) {
            hook.written(type, before, after);
        }
    }

    /** The end of an update. */
    public record Written(ObjectNode object, boolean created) {}

    /**
     * The end of a removal.
     *
     * @param object the object in its last known state
     * @param gone whether it is gone; else it waits for finalizers or its grace period
     */
    public record Removed(ObjectNode object, boolean gone) {}
}
