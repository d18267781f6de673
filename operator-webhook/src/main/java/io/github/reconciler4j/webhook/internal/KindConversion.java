package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.Converter;
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
    ObjectNode convert(ObjectNode object, GroupVersionKind from, GroupVersionKind to) throws Exception {
        if (from.equals(to)) {
            return object;
        }
        ObjectNode atHub = from.equals(hub) ? object : spoke(from).toHub(object, from, this);
        return to.equals(hub) ? atHub : spoke(to).fromHub(atHub, to, this);
    }

    private Spoke<H, ?> spoke(GroupVersionKind kind) {
        Spoke<H, ?> spoke = spokes.get(kind.version());
        if (spoke == null) {
            throw new IllegalArgumentException("the operator has no converter for version " + kind.version());
        }
        return spoke;
    }

    private static <A, B> ObjectNode step(
            ObjectNode source, Side<A> from, Side<B> to, Step<A, B> there, Step<B, A> back) throws Exception {
        ObjectNode kept = kept(source);
        B target = there.convert(Decoding.decode(source, from.type));
        ObjectNode content = content(Decoding.encode(target));
        JsonNode restored = kept.remove(to.kind.version()) instanceof ObjectNode earlier
                ? restore(earlier, content, from, to, there, back)
                : null;
        if (restored instanceof ObjectNode merged) {
            content = merged;
            target = Decoding.decode(merged, to.type);
        }
        ObjectNode own = content(source);
        kept.remove(from.kind.version());
        if (!sameContent(own, content(Decoding.encode(back.convert(target))))) {
            kept.set(from.kind.version(), own);
        }
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("apiVersion", to.kind.apiVersion()).put("kind", to.kind.kind());
        result.set("metadata", metadata(source, kept));
        result.setAll(content);
        return result;
    }

    /** Return null if a user has damaged the annotation. */
    private static <A, B> @Nullable JsonNode restore(
            ObjectNode earlier, ObjectNode content, Side<A> from, Side<B> to, Step<A, B> there, Step<B, A> back)
            throws Exception {
        try {
            A other = back.convert(Decoding.decode(earlier, to.type));
            ObjectNode throughOther = content(Decoding.encode(there.convert(other)));
            return TreeMerge.apply(earlier, throughOther, content);
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
    private static boolean sameContent(@Nullable JsonNode a, @Nullable JsonNode b) {
        if (a == null || a.isNull() || b == null || b.isNull()) {
            return (a == null || a.isNull()) && (b == null || b.isNull());
        }
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue()) == 0;
        }
        if (a instanceof ObjectNode first && b instanceof ObjectNode second) {
            for (Map.Entry<String, JsonNode> field : first.properties()) {
                if (!sameContent(field.getValue(), second.get(field.getKey()))) {
                    return false;
                }
            }
            return second.properties().stream()
                    .allMatch(field ->
                            first.has(field.getKey()) || field.getValue().isNull());
        }
        if (a.isArray() && b.isArray() && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                if (!sameContent(a.get(i), b.get(i))) {
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
        B convert(A object) throws Exception;
    }

    private record Spoke<H extends HasMetadata, S extends HasMetadata>(Class<S> type, Converter<H, S> converter) {

        ObjectNode toHub(ObjectNode object, GroupVersionKind spoke, KindConversion<H> kind) throws Exception {
            return step(
                    object,
                    new Side<>(spoke, type),
                    new Side<>(kind.hub, kind.hubType),
                    converter::toHub,
                    converter::fromHub);
        }

        ObjectNode fromHub(ObjectNode object, GroupVersionKind spoke, KindConversion<H> kind) throws Exception {
            return step(
                    object,
                    new Side<>(kind.hub, kind.hubType),
                    new Side<>(spoke, type),
                    converter::fromHub,
                    converter::toHub);
        }
    }
}
