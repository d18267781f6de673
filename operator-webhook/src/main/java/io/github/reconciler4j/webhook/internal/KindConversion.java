package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.internal.ConversionEndpoint.WrongResultException;
import io.github.reconciler4j.webhook.internal.Decoding.UndecodableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts the objects of one kind, from spoke to spoke through the hub. Each step converts its result back to find out
 * whether it lost anything. If so, the content of the source is kept in an annotation, by version. The step back applies the
 * changes that were made since to that content:
 *
 * <pre>
 * kept, what the other version made of it, what the other version is now  --{@link TreeMerge}-->  result
 * </pre>
 *
 * @param <H> the class of the hub
 */
public final class KindConversion<H extends HasMetadata> {

    private final GroupVersionKind hub;
    private final Class<H> hubType;
    private final Map<String, Spoke<H, ?>> spokes = new LinkedHashMap<>();

    /** Create a conversion without spokes. */
    public KindConversion(GroupVersionKind hub, Class<H> hubType) {
        this.hub = hub;
        this.hubType = hubType;
    }

    /**
     * Add a spoke.
     *
     * @throws IllegalArgumentException if it is of another kind, is the hub, or has been added
     */
    public <S extends HasMetadata> void add(GroupVersionKind spoke, Class<S> type, Converter<H, S> converter) {
        if (!spoke.sameGroupKind(hub)) {
            throw new IllegalArgumentException("A converter cannot convert " + spoke + " to another kind, " + hub);
        }
        if (spoke.equals(hub)) {
            throw new IllegalArgumentException("A converter cannot convert " + hub + " to itself");
        }
        if (spokes.putIfAbsent(spoke.version(), new Spoke<>(type, converter)) != null) {
            throw new IllegalArgumentException("There are two converters for " + spoke);
        }
    }

    /** Return the kind in the version of the hub. */
    public GroupVersionKind hub() {
        return hub;
    }

    /** Return the class of the hub. */
    public Class<H> hubType() {
        return hubType;
    }

    /** Return the versions of the spokes. */
    public Set<String> spokeVersions() {
        return spokes.keySet();
    }

    boolean isFor(GroupVersionKind kind) {
        return hub.sameGroupKind(kind);
    }

    /** Return the object in another version. */
    ObjectNode convert(ObjectNode object, GroupVersionKind from, GroupVersionKind to, Work work) throws Exception {
        work.count(1);
        if (from.equals(to)) {
            return object;
        }
        ObjectNode atHub = from.equals(hub) ? object : spoke(from).toHub(object, from, this, work);
        return to.equals(hub) ? atHub : spoke(to).fromHub(atHub, to, this, work);
    }

    private Spoke<H, ?> spoke(GroupVersionKind kind) {
        Spoke<H, ?> spoke = spokes.get(kind.version());
        if (spoke == null) {
            throw new IllegalArgumentException("the operator has no converter for version " + kind.version());
        }
        return spoke;
    }

    private static <A, B> ObjectNode step(
            ObjectNode source, Side<A> from, Side<B> to, Step<A, B> there, Step<B, A> back, Work work)
            throws Exception {
        ObjectNode kept = kept(source);
        JsonNode metadata = source.path("metadata");
        B target = checked(there.convert(Decoding.decode(source, from.type)), to, metadata);
        ObjectNode content = content(Decoding.encode(target));
        JsonNode restored = kept.remove(to.kind.version()) instanceof ObjectNode earlier
                ? restore(earlier, content, from, to, there, back, work)
                : null;
        if (restored instanceof ObjectNode merged) {
            content = merged;
            target = Decoding.decode(merged, to.type);
        }
        ObjectNode own = content(source);
        kept.remove(from.kind.version());
        A returned = checked(back.convert(target), from, metadata);
        if (!sameContent(own, content(Decoding.encode(returned)), work)) {
            kept.set(from.kind.version(), own);
        }
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("apiVersion", to.kind.apiVersion()).put("kind", to.kind.kind());
        result.set("metadata", metadata(source, kept));
        result.setAll(content);
        return result;
    }

    /**
     * Return what a converter returned. Metadata that it does not set is taken from the source, and so are labels and annotations.
     *
     * @throws WrongResultException if it is nothing, another kind or version, or an object with another name
     */
    private static <T> T checked(@Nullable T result, Side<T> side, JsonNode metadata) throws WrongResultException {
        if (result == null) {
            throw new WrongResultException("the converter returned null instead of " + side.kind);
        }
        if (!side.type.isInstance(result)) {
            throw new WrongResultException(
                    "the converter returned " + result.getClass().getName() + " instead of " + side.type.getName());
        }
        HasMetadata object = (HasMetadata) result;
        checkText("kind", object.getKind(), side.kind.kind());
        checkText("apiVersion", object.getApiVersion(), side.kind.apiVersion());
        ObjectMeta changed = object.getMetadata();
        if (changed != null) {
            checkText("metadata.name", changed.getName(), metadata.path("name").asText());
            checkText(
                    "metadata.namespace",
                    changed.getNamespace(),
                    metadata.path("namespace").asText());
            checkText("metadata.uid", changed.getUid(), metadata.path("uid").asText());
        }
        return result;
    }

    private static void checkText(String field, @Nullable String found, String expected) throws WrongResultException {
        if (found != null && !found.isEmpty() && !found.equals(expected)) {
            throw new WrongResultException("the converter returned an object with " + field + " '"
                    + Texts.cut(found, Texts.PATH) + "' instead of '" + expected
                    + "': correct the converter, or do not set this field");
        }
    }

    /** Return null if a user has damaged the annotation. */
    private static <A, B> @Nullable JsonNode restore(
            ObjectNode earlier,
            ObjectNode content,
            Side<A> from,
            Side<B> to,
            Step<A, B> there,
            Step<B, A> back,
            Work work)
            throws Exception {
        try {
            JsonNode none = MissingNode.getInstance();
            A other = checked(back.convert(Decoding.decode(earlier, to.type)), from, none);
            B again = checked(there.convert(other), to, none);
            return TreeMerge.apply(earlier, content(Decoding.encode(again)), content, work);
        } catch (UndecodableException e) {
            return null;
        }
    }

    /** Return what the annotation keeps, by version. */
    private static ObjectNode kept(ObjectNode source) {
        String text = source.path("metadata")
                .path("annotations")
                .path(Converter.DATA_ANNOTATION)
                .asText();
        try {
            if (!text.isEmpty() && KubernetesJson.mapper().readTree(text) instanceof ObjectNode kept) {
                return kept;
            }
        } catch (JsonProcessingException e) {
            // damaged by a user
        }
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode metadata(ObjectNode source, ObjectNode kept) {
        ObjectNode metadata = source.get("metadata") instanceof ObjectNode given
                ? given.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        if (!kept.isEmpty()) {
            metadata.withObject("/annotations").put(Converter.DATA_ANNOTATION, kept.toString());
        } else if (metadata.get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(Converter.DATA_ANNOTATION);
            if (annotations.isEmpty()) {
                metadata.remove("annotations");
            }
        }
        return metadata;
    }

    private static ObjectNode content(ObjectNode object) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!Set.of("apiVersion", "kind", "metadata").contains(field.getKey())) {
                content.set(field.getKey(), field.getValue());
            }
        }
        return content;
    }

    /** Compares numbers by value, and treats null as missing. */
    private static boolean sameContent(@Nullable JsonNode a, @Nullable JsonNode b, Work work) {
        work.count(1);
        if (a == null || a.isNull() || b == null || b.isNull()) {
            return (a == null || a.isNull()) && (b == null || b.isNull());
        }
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue()) == 0;
        }
        if (a instanceof ObjectNode first && b instanceof ObjectNode second) {
            for (Map.Entry<String, JsonNode> field : first.properties()) {
                if (!sameContent(field.getValue(), second.get(field.getKey()), work)) {
                    return false;
                }
            }
            return second.properties().stream()
                    .allMatch(field ->
                            first.has(field.getKey()) || field.getValue().isNull());
        }
        if (a.isArray() && b.isArray() && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                if (!sameContent(a.get(i), b.get(i), work)) {
                    return false;
                }
            }
            return true;
        }
        return a.equals(b);
    }

    private record Side<T>(GroupVersionKind kind, Class<T> type) {}

    @FunctionalInterface
    private interface Step<A, B> {
        @Nullable
        B convert(A object) throws Exception;
    }

    private record Spoke<H extends HasMetadata, S extends HasMetadata>(Class<S> type, Converter<H, S> converter) {

        ObjectNode toHub(ObjectNode object, GroupVersionKind spoke, KindConversion<H> kind, Work work)
                throws Exception {
            return step(
                    object,
                    new Side<>(spoke, type),
                    new Side<>(kind.hub, kind.hubType),
                    converter::toHub,
                    converter::fromHub,
                    work);
        }

        ObjectNode fromHub(ObjectNode object, GroupVersionKind spoke, KindConversion<H> kind, Work work)
                throws Exception {
            return step(
                    object,
                    new Side<>(kind.hub, kind.hubType),
                    new Side<>(spoke, type),
                    converter::fromHub,
                    converter::toHub,
                    work);
        }
    }
}
