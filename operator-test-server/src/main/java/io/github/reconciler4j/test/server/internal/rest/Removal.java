package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ResourceType.Trait;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess.Removed;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes objects: at once, or by marking them and waiting for finalizers and grace periods. */
final class Removal {
    /** The finalizer of an object whose dependents go first. */
    static final String FOREGROUND = "foregroundDeletion";

    /** The finalizer of an object whose dependents stay. */
    static final String ORPHAN = "orphan";

    private static final List<String> PROTECTED = List.of("default", "kube-system", "kube-public");

    private final ObjectAccess access;

    Removal(ObjectAccess access) {
        this.access = access;
    }

    Removed delete(ResourceType type, ObjectName name, DeleteOptions options, WriteContext context) {
        while (true) {
            StoredObject current = access.store().get(type.id(), name);
            if (current == null) {
                throw StatusException.notFound(type.group(), type.plural(), name.name());
            }
            Removed removed = tryDelete(type, current, options, context);
            if (removed != null) {
                return removed;
            }
        }
    }

    private @Nullable Removed tryDelete(
            ResourceType type, StoredObject current, DeleteOptions options, WriteContext context) {
        ObjectNode before = Representation.inVersion(type, current);
        checkProtection(type, current.name().name());
        checkPreconditions(type, before, options);
        ObjectNode object = before.deepCopy();
        Grace.Step step = Grace.of(type, object, options, access.now());
        if (step == Grace.Step.ALREADY_PENDING) {
            return new Removed(before, false);
        }
        AdmissionCalls.ofDelete(access, type, current.name(), options, context).delete(before);
        settleFinalizers(type, object, options);
        BuiltInDefaults.onDelete(type, object);
        boolean kept = !Json.texts(object, "metadata", "finalizers").isEmpty() || type.is("", "namespaces");
        if (kept && step == Grace.Step.NONE) {
            MetadataRules.markDeleting(object, access.now());
        }
        if (type.is("", "namespaces")) {
            Json.child(object, "status").put("phase", "Terminating");
            Json.metadata(object).remove("deletionGracePeriodSeconds");
        }
        boolean gone = Modification.isFinished(object) || !kept && step != Grace.Step.WAIT;
        boolean dryRun = options.dryRun() || context.options().dryRun();
        return dryRun ? new Removed(object, gone) : write(type, current, before, object, gone);
    }

    private @Nullable Removed write(
            ResourceType type, StoredObject current, ObjectNode before, ObjectNode object, boolean gone) {
        if (!gone && Json.same(before, object)) {
            return new Removed(before, false);
        }
        ObjectNode toStore = Representation.forStorage(type, object);
        StoredObject written = gone
                ? access.store().remove(type.id(), current, toStore)
                : access.store().put(type.id(), current.name(), current, toStore);
        if (written == null) {
            return null;
        }
        ObjectNode result = Representation.inVersion(type, written.tree());
        access.announce(type, before, gone ? null : result);
        return new Removed(result, gone);
    }

    private static void checkProtection(ResourceType type, String name) {
        if (type.is("", "namespaces") && PROTECTED.contains(name)) {
            throw StatusException.forbidden("", "namespaces", name, "this namespace may not be deleted");
        }
    }

    static void checkPreconditions(ResourceType type, ObjectNode object, DeleteOptions options) {
        String uid = Json.text(object, "metadata", "uid");
        if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
            throw precondition(type, object, "UID", options.uid(), uid, "deleted and then recreated");
        }
        String version = Json.text(object, "metadata", "resourceVersion");
        if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(version)) {
            throw precondition(type, object, "ResourceVersion", options.resourceVersion(), version, "modified");
        }
    }

    private static StatusException precondition(
            ResourceType type, ObjectNode object, String what, String asked, String is, String perhaps) {
        String why = "the " + what + " in the precondition (" + asked + ") does not match the " + what + " in record ("
                + is + "). The object might have been " + perhaps;
        return StatusException.conflict(type.group(), type.kind(), Json.text(object, "metadata", "name"), why);
    }

    /** Set the finalizers by which the garbage collector learns what to do with dependents. */
    private static void settleFinalizers(ResourceType type, ObjectNode object, DeleteOptions options) {
        List<String> before = Json.texts(object, "metadata", "finalizers");
        String policy = options.propagation();
        if (policy.isEmpty()) {
            boolean orphans = before.contains(ORPHAN) || !before.contains(FOREGROUND) && type.is(Trait.ORPHANS);
            policy = orphans ? "Orphan" : before.contains(FOREGROUND) ? "Foreground" : "Background";
        }
        ArrayNode after = Json.array();
        before.stream()
                .filter(finalizer -> !finalizer.equals(ORPHAN) && !finalizer.equals(FOREGROUND))
                .forEach(after::add);
        if (policy.equals("Orphan")) {
            after.add(ORPHAN);
        } else if (policy.equals("Foreground")) {
            after.add(FOREGROUND);
        }
        Json.setOrRemove(Json.metadata(object), "finalizers", after.isEmpty() ? null : after);
    }

    /** The grace period of pods: the time between the wish to delete one and its end on a node. */
    private static final class Grace {
        /** The effect of the grace period on a removal. */
        enum Step {
            /** No grace period: delete now, or mark for finalizers. */
            NONE,
            /** It starts or gets shorter: the object is marked and waits for the node. */
            WAIT,
            /** It started earlier and the request does not shorten it. */
            ALREADY_PENDING
        }

        private static final List<String> ENDED = List.of("Succeeded", "Failed");

        private Grace() {}

        /** Set deletion time and period of a pod; leaves other kinds alone. */
        static Step of(ResourceType type, ObjectNode object, DeleteOptions options, Instant now) {
            if (!type.is("", "pods")) {
                return Step.NONE;
            }
            ObjectNode metadata = Json.metadata(object);
            Long asked = options.grace() != null && options.grace() < 0 ? Long.valueOf(1) : options.grace();
            if (metadata.hasNonNull("deletionTimestamp")) {
                return shorten(metadata, asked, now);
            }
            long period = period(object, asked);
            metadata.put("deletionTimestamp", Times.text(now.plusSeconds(period)));
            metadata.put("deletionGracePeriodSeconds", period);
            MetadataRules.bumpForDeletion(metadata);
            return period > 0 ? Step.WAIT : Step.NONE;
        }

        private static long period(ObjectNode pod, @org.jspecify.annotations.Nullable Long asked) {
            boolean runs =
                    !Json.text(pod, "spec", "nodeName").isEmpty() && !ENDED.contains(Json.text(pod, "status", "phase"));
            if (!runs) {
                return 0;
            }
            return asked != null ? asked : Json.number(pod, 30, "spec", "terminationGracePeriodSeconds");
        }

        private static Step shorten(ObjectNode metadata, @org.jspecify.annotations.Nullable Long asked, Instant now) {
            long pending = Json.number(metadata, 0, "deletionGracePeriodSeconds");
            if (pending == 0) {
                return Step.NONE;
            }
            if (asked == null || asked >= pending) {
                return Step.ALREADY_PENDING;
            }
            Instant end = Instant.parse(Json.text(metadata, "deletionTimestamp"))
                    .minusSeconds(pending)
                    .plusSeconds(asked);
            boolean late = end.isBefore(now);
            metadata.put("deletionTimestamp", Times.text(late ? now : end));
            metadata.put("deletionGracePeriodSeconds", late && asked != 0 ? 1 : asked);
            return asked == 0 ? Step.NONE : Step.WAIT;
        }
    }
}
