package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.Representation;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates objects. */
final class Creation {
    private static final Pattern VERSION = Pattern.compile("0*[1-9]\\d*");
    private static final int NAME_ATTEMPTS = 8;
    private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_NAME = 63;

    private final ObjectAccess access;

    Creation(ObjectAccess access) {
        this.access = access;
    }

    ObjectNode create(ResourceType type, String namespace, ObjectNode given, WriteContext context) {
        boolean generates = Json.text(given, "metadata", "name").isEmpty()
                && !Json.text(given, "metadata", "generateName").isEmpty();
        for (int attempt = 1; ; attempt++) {
            String prefix = Json.text(given, "metadata", "generateName");
            String name = generates ? generatedName(prefix) : Json.text(given, "metadata", "name");
            ObjectNode stored = tryCreate(type, namespace, given.deepCopy(), name, false, context);
            if (stored != null) {
                return stored;
            }
            if (!generates || attempt == NAME_ATTEMPTS) {
                throw exists(type, new ObjectName(type.namespaced() ? namespace : "", name));
            }
        }
    }

    private StatusException exists(ResourceType type, ObjectName name) {
        StatusException plain = StatusException.alreadyExists(type.group(), type.plural(), name.name());
        StoredObject other = access.store().get(type.id(), name);
        boolean goes = other != null && Json.at(other.tree(), "metadata", "deletionTimestamp") != null;
        return goes ? plain.withPrefix("object is being deleted: ") : plain;
    }

    /**
     * Create the object; null when one of its name exists.
     *
     * @param givenName its name, which it gets after admission changed it if it has none
     * @param tracked whether its fields have owners yet
     */
    @Nullable
    ObjectNode tryCreate(
            ResourceType type,
            String namespace,
            ObjectNode object,
            String givenName,
            boolean tracked,
            WriteContext context) {
        String version = Json.text(object, "metadata", "resourceVersion");
        ObjectNode ready = prepare(type, namespace, object, givenName, tracked, context);
        ObjectName name = new ObjectName(type.namespaced() ? namespace : "", Json.text(ready, "metadata", "name"));
        if (context.options().dryRun()) {
            // a dry run ends before the storage, which refuses versions
            return access.store().get(type.id(), name) == null ? withVersion(type, ready, version) : null;
        }
        if (VERSION.matcher(version).matches()) {
            throw new StatusException(500, "", "resourceVersion should not be set on objects to be created", null);
        }
        StoredObject stored = access.store().put(type.id(), name, null, Representation.forStorage(type, ready));
        if (stored == null) {
            return null;
        }
        ObjectNode result = Representation.inVersion(type, stored.tree());
        access.announce(type, null, result);
        return result;
    }

    private static ObjectNode withVersion(ResourceType type, ObjectNode ready, String version) {
        ObjectNode object = Representation.afterStorage(type, ready);
        if (!version.isEmpty()) {
            Json.metadata(object).put("resourceVersion", version);
        }
        return object;
    }

    private ObjectNode prepare(
            ResourceType type,
            String namespace,
            ObjectNode object,
            String givenName,
            boolean tracked,
            WriteContext context) {
        MetadataRules.settleNamespace(type, object, namespace);
        MetadataRules.tidy(object);
        MetadataRules.wipe(object);
        checkStays(type, givenName);
        NamespaceGate.check(access, type, namespace, givenName);
        access.rules().decodeNew(type, object, tracked);
        ObjectNode owned = tracked ? object : FieldOwners.track(type, "", null, object, context, access.now());
        AdmissionCalls admission = AdmissionCalls.ofCreate(access, type, namespace, context);
        owned = admission.mutate(owned, null);
        MetadataRules.tidy(owned);
        if (Json.text(owned, "metadata", "name").isEmpty() && !givenName.isEmpty()) {
            Json.metadata(owned).put("name", givenName);
        }
        MetadataRules.fillForCreate(type, owned, access.now());
        access.rules().prepareForCreate(type, owned);
        List<FieldError> causes = new ArrayList<>(access.rules().check(type, "", owned, null));
        causes.addAll(0, MetadataChecks.ofNew(type, owned));
        if (!causes.isEmpty()) {
            throw StatusException.invalid(type.group(), type.kind(), givenName, causes);
        }
        MetadataChecks.warn(type, owned, null, context);
        admission.validate(owned, null);
        return access.rules().settled(type, owned);
    }

    /** Nothing new is let into a kind that goes. */
    private static void checkStays(ResourceType type, String name) {
        if (type.custom() != null && type.custom().goes()) {
            throw StatusException.forbidden(
                    type.group(),
                    type.plural(),
                    name,
                    "create not allowed while custom resource definition is terminating");
        }
    }

    private static String generatedName(String prefix) {
        StringBuilder name =
                new StringBuilder(prefix.substring(0, Math.min(prefix.length(), MAX_NAME - SUFFIX_LENGTH)));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(NAME_LETTERS.charAt(ThreadLocalRandom.current().nextInt(NAME_LETTERS.length())));
        }
        return name.toString();
    }

    /** Lets new objects only into namespaces that exist and are not being deleted. */
    private static final class NamespaceGate {
        private static final ResourceId NAMESPACES = new ResourceId("", "namespaces");

        private NamespaceGate() {}

        static void check(ObjectAccess access, ResourceType type, String namespace, String name) {
            if (!type.namespaced()) {
                return;
            }
            StoredObject stored = access.store().get(NAMESPACES, new ObjectName("", namespace));
            if (stored == null) {
                throw StatusException.notFound("", "namespaces", namespace);
            }
            if (Json.at(stored.tree(), "metadata", "deletionTimestamp") != null) {
                throw terminating(type, namespace, name);
            }
        }

        private static StatusException terminating(ResourceType type, String namespace, String name) {
            String why = "unable to create new content in namespace " + namespace + " because it is being terminated";
            StatusException plain = StatusException.forbidden(type.group(), type.plural(), name, why);
            ObjectNode details = Json.child(plain.toStatus(), "details");
            details.putArray("causes")
                    .addObject()
                    .put("reason", "NamespaceTerminating")
                    .put("message", "namespace " + namespace + " is being terminated")
                    .put("field", "metadata.namespace");
            return new StatusException(403, "Forbidden", String.valueOf(plain.getMessage()), details);
        }
    }
}
