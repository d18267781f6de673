package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.Conversion;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects in the version of the store and in that of a request. Stored text starts with {@code apiVersion} and
 * {@code kind}, so that another version of a custom resource, or a list item, is the same text with another prefix.
 */
public final class Representation {
    private Representation() {}

    /** Return the object in the version of the type, with fields that this version does not know. The same object, changed. */
    public static ObjectNode converted(ResourceType type, ObjectNode object) {
        if (type.custom() == null) {
            return inVersion(type, object);
        }
        convert(type, object, type.apiVersion());
        return object.put("apiVersion", type.apiVersion());
    }

    /**
     * Return the stored object in the version of the type: it has the defaults of the version in which it is stored, and the
     * fields that both versions know. The same object, changed.
     */
    public static ObjectNode inVersion(ResourceType type, ObjectNode object) {
        CustomSchema schema = type.schema();
        if (schema != null) {
            schema.read(object);
        }
        boolean differs = !isInVersion(type, object);
        convert(type, object, type.apiVersion());
        return differs ? fitted(type, object) : object;
    }

    private static boolean isInVersion(ResourceType type, ObjectNode object) {
        return Json.text(object, "apiVersion").equals(type.apiVersion());
    }

    /** Return the object that had another version, as the version of the type has it. The same object, changed. */
    private static ObjectNode fitted(ResourceType type, ObjectNode object) {
        object.put("apiVersion", type.apiVersion());
        if (type.isConverted()) {
            EventForms.toEvents(object);
        }
        CustomSchema schema = type.schema();
        if (schema != null) {
            schema.structural().prune(object);
        }
        return object;
    }

    private static @Nullable Conversion conversion(ResourceType type) {
        return type.custom() == null ? null : type.custom().conversion();
    }

    /** Convert an object of a kind with a conversion webhook, if it has another version. */
    private static void convert(ResourceType type, ObjectNode object, String apiVersion) {
        Conversion conversion = conversion(type);
        String version = Json.text(object, "apiVersion");
        if (conversion != null && !version.isEmpty() && !version.equals(apiVersion)) {
            ObjectNode converted =
                    conversion.convert(List.of(object.deepCopy()), apiVersion).get(0);
            object.removeAll();
            object.setAll(converted);
        }
    }

    /**
     * Return a stored object in the version of the type.
     *
     * @throws StatusException if its conversion fails
     */
    public static ObjectNode inVersion(ResourceType type, StoredObject stored) {
        try {
            return inVersion(type, stored.tree());
        } catch (StatusException e) {
            throw undecodable(stored, e);
        }
    }

    private static StatusException undecodable(StoredObject stored, StatusException e) {
        return e.withPrefix("object not decodable revision=" + stored.version() + ": ");
    }

    /** Return the text of an object for a request that reads it. */
    static byte[] textForReader(ResourceType type, StoredObject object) {
        try {
            return text(type, object);
        } catch (StatusException e) {
            throw StatusException.internal(corrupt("", type, object, undecodable(object, e)));
        }
    }

    /**
     * Return the objects in the version of the type; those that a webhook converts are sent to it together.
     *
     * @throws StatusException if the conversion of one fails; it names all for which that is so
     */
    static List<ObjectNode> inVersion(ResourceType type, List<StoredObject> stored) {
        try {
            return together(type, stored);
        } catch (StatusException e) {
            ObjectNode details = Json.object().put("name", "list").put("group", type.group());
            ArrayNode causes = details.put("kind", type.plural()).putArray("causes");
            for (StoredObject one : stored) {
                try {
                    inVersion(type, one);
                } catch (StatusException failure) {
                    causes.addObject()
                            .put("reason", "UnexpectedServerResponse")
                            .put("message", corrupt("/registry", type, one, failure));
                }
            }
            String first = causes.path(0).path("message").asText(e.getMessage());
            String subject = StatusException.qualified(type.group(), type.plural());
            throw new StatusException(
                    500,
                    "StorageReadError",
                    "failed to read one or more " + subject + " from the storage: " + first,
                    details);
        }
    }

    private static String corrupt(String prefix, ResourceType type, StoredObject object, StatusException why) {
        return "StorageError: corrupt object, Code: 7, Key: " + prefix + "/" + type.group() + "/" + type.plural() + "/"
                + object.name().key() + ", ResourceVersion: 0, AdditionalErrorMsg: " + why.getMessage();
    }

    private static List<ObjectNode> together(ResourceType type, List<StoredObject> stored) {
        Conversion conversion = conversion(type);
        CustomSchema schema = type.schema();
        List<ObjectNode> objects = new ArrayList<>();
        stored.forEach(one -> objects.add(one.tree()));
        if (schema != null) {
            objects.forEach(schema::read);
        }
        List<ObjectNode> others =
                objects.stream().filter(object -> !isInVersion(type, object)).toList();
        Iterator<ObjectNode> converted = conversion == null || others.isEmpty()
                ? others.iterator()
                : conversion.convert(others, type.apiVersion()).iterator();
        objects.replaceAll(object -> isInVersion(type, object) ? object : fitted(type, converted.next()));
        return objects;
    }

    /** Return the object as it would be if it were stored and read again. The same object, changed. */
    public static ObjectNode afterStorage(ResourceType type, ObjectNode object) {
        return conversion(type) == null ? object : inVersion(type, forStorage(type, object));
    }

    /** Return the object as it is kept. The same object, changed. */
    public static ObjectNode forStorage(ResourceType type, ObjectNode object) {
        if (type.isConverted() && Json.text(object, "apiVersion").equals(type.apiVersion())) {
            EventForms.toCore(object);
        }
        convert(type, object, type.storageApiVersion());
        object.put("apiVersion", type.storageApiVersion()).put("kind", type.kind());
        CustomSchema schema = type.schema();
        if (schema != null) {
            schema.encode(object);
        }
        return Json.withFirst(object, "apiVersion", "kind", "metadata");
    }

    /** Return the object as text, in the version of the type. */
    public static byte[] text(ResourceType type, StoredObject object) {
        CustomSchema schema = type.schema();
        if (type.isConverted() || conversion(type) != null || schema != null && schema.reshapes(object)) {
            return Json.bytes(inVersion(type, object.tree()));
        }
        if (type.version().equals(type.storageVersion())) {
            return object.json();
        }
        return withPrefix(type, object, prefix(type.apiVersion(), type.kind()));
    }

    /** Return the objects as texts inside a list. */
    static List<byte[]> listItems(ResourceType type, List<StoredObject> objects) {
        return conversion(type) == null
                ? objects.stream().map(object -> listItem(type, object)).toList()
                : inVersion(type, objects).stream().map(Json::bytes).toList();
    }

    /** Return the object as text inside a list: built-in kinds do not repeat apiVersion and kind there. */
    private static byte[] listItem(ResourceType type, StoredObject object) {
        if (type.custom() != null) {
            return text(type, object);
        }
        if (type.isConverted()) {
            ObjectNode tree = inVersion(type, object.tree());
            tree.remove(List.of("apiVersion", "kind"));
            return Json.bytes(tree);
        }
        return withPrefix(type, object, new byte[] {'{'});
    }

    private static byte[] withPrefix(ResourceType type, StoredObject object, byte[] prefix) {
        byte[] json = object.json();
        int skipped = prefix(type.storageApiVersion(), type.kind()).length;
        byte[] text = Arrays.copyOf(prefix, prefix.length + json.length - skipped);
        System.arraycopy(json, skipped, text, prefix.length, json.length - skipped);
        return text;
    }

    private static byte[] prefix(String apiVersion, String kind) {
        return ("{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\",").getBytes(StandardCharsets.UTF_8);
    }
}
