package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.internal.ConversionEndpoint.WrongResultException;
import io.github.reconciler4j.webhook.internal.Decoding.UndecodableException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
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

    /** The API server checks annotations that a conversion changes. */
    private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

    /** What is left for an object in a review of 1,000 levels, which is the limit of Jackson. */
    private static final int MAX_DEPTH = 997;

    private final KindName hub;
    private final Class<H> hubType;
    private final Map<String, Spoke<H, ?>> spokes = new LinkedHashMap<>();

    /** Create a conversion without spokes. */
    public KindConversion(KindName hub, Class<H> hubType) {
        this.hub = hub;
        this.hubType = hubType;
    }

    /**
     * Add a spoke.
     *
     * @throws IllegalArgumentException if it is of another kind, is the hub, or has been added
     */
    public <S extends HasMetadata> void add(KindName spoke, Class<S> type, Converter<H, S> converter) {
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
    public KindName hub() {
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

    boolean isFor(KindName kind) {
        return hub.sameGroupKind(kind);
    }

    /**
     * Return the object in another version.
     *
     * @param unrestored receives the reason why what the annotation keeps was not restored
     * @throws WrongResultException if the result is nothing that can be sent
     * @throws Exception if the converter fails
     */
    ObjectNode convert(ObjectNode object, KindName from, KindName to, CallWorkers work, Consumer<Throwable> unrestored)
            throws Exception {
        work.count(1);
        if (from.equals(to)) {
            return object;
        }
        Set<String> versions = new HashSet<>(spokes.keySet());
        versions.add(hub.version());
        Context context = new Context(versions, work, unrestored);
        ObjectNode atHub = from.equals(hub) ? object : toHub(spoke(from), from, object, context);
        return to.equals(hub) ? atHub : fromHub(spoke(to), to, atHub, context);
    }

    private Spoke<H, ?> spoke(KindName kind) {
        Spoke<H, ?> spoke = spokes.get(kind.version());
        if (spoke == null) {
            throw new IllegalArgumentException("the operator has no converter for version " + kind.version());
        }
        return spoke;
    }

    private <S extends HasMetadata> ObjectNode toHub(
            Spoke<H, S> spoke, KindName kind, ObjectNode object, Context context) throws Exception {
        Converter<H, S> converter = spoke.converter;
        return new Way<>(
                        new VersionType<>(kind, spoke.type),
                        new VersionType<>(hub, hubType),
                        converter::toHub,
                        converter::fromHub,
                        context)
                .convert(object);
    }

    private <S extends HasMetadata> ObjectNode fromHub(
            Spoke<H, S> spoke, KindName kind, ObjectNode object, Context context) throws Exception {
        Converter<H, S> converter = spoke.converter;
        return new Way<>(
                        new VersionType<>(hub, hubType),
                        new VersionType<>(kind, spoke.type),
                        converter::fromHub,
                        converter::toHub,
                        context)
                .convert(object);
    }

    /**
     * Return what a converter returned. Metadata that it does not set is taken from the source, and so are labels and annotations.
     *
     * @throws WrongResultException if it is nothing, another kind or version, or an object with another name
     */
    private static <T> T checked(@Nullable T result, VersionType<T> side, JsonNode metadata)
            throws WrongResultException {
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
                    + "': correct the converter, or do not set this field (R4J-426)");
        }
    }

    /** Refuses what the API server cannot read, because it would fail the whole review and name no object. */
    private static void checkSendable(JsonNode tree, int depth, CallWorkers work) throws WrongResultException {
        work.count(1);
        if (depth > MAX_DEPTH) {
            throw new WrongResultException("the result is nested deeper than " + MAX_DEPTH
                    + " levels: correct the object or the converter (R4J-427)");
        }
        if (tree.isNumber() && !Double.isFinite(tree.doubleValue())) {
            throw new WrongResultException(
                    "the result has a number that no double can hold: correct the object or the converter (R4J-428)");
        }
        if (tree.isContainerNode()) {
            for (JsonNode child : tree) {
                checkSendable(child, depth + 1, work);
            }
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
            if (!kept.equals(kept(source))) { // otherwise the notation stays
                metadata.withObject("/annotations").put(Converter.DATA_ANNOTATION, kept.toString());
            }
        } else if (metadata.get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(Converter.DATA_ANNOTATION);
            if (annotations.isEmpty()) {
                metadata.remove("annotations");
            }
        }
        return metadata;
    }

    /** Return the size of the annotations as the API server counts it. */
    private static int annotationBytes(ObjectNode metadata) {
        int bytes = 0;
        for (Map.Entry<String, JsonNode> annotation :
                metadata.path("annotations").properties()) {
            bytes += annotation.getKey().getBytes(UTF_8).length;
            bytes += annotation.getValue().asText().getBytes(UTF_8).length;
        }
        return bytes;
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
    private static boolean sameContent(@Nullable JsonNode a, @Nullable JsonNode b, CallWorkers work) {
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

    private record VersionType<T>(KindName kind, Class<T> type) {}

    private record Spoke<H extends HasMetadata, S extends HasMetadata>(Class<S> type, Converter<H, S> converter) {}

    /**
     * What is the same for both steps of a conversion.
     *
     * @param versions the versions that the kind has
     */
    private record Context(Set<String> versions, CallWorkers work, Consumer<Throwable> unrestored) {}

    /**
     * Content in the other version.
     *
     * @param complete whether the way back makes the source of it
     */
    private record Converted(ObjectNode content, boolean complete) {}

    @FunctionalInterface
    private interface Step<A, B> {
        @Nullable
        B convert(A object) throws Exception;
    }

    /** One step, between the hub and a spoke. */
    private record Way<A, B>(
            VersionType<A> from, VersionType<B> to, Step<A, B> there, Step<B, A> back, Context context) {

        ObjectNode convert(ObjectNode source) throws Exception {
            JsonNode metadata = source.path("metadata");
            ObjectNode own = content(source);
            ObjectNode kept = kept(source);
            B target = checked(there.convert(Decoding.decode(source, from.type)), to, metadata);
            ObjectNode content = content(Decoding.encode(target));
            String version = to.kind.version();
            Converted converted = kept.get(version) instanceof ObjectNode earlier
                    ? restored(content(earlier), content, own, metadata)
                    : null;
            boolean refused = converted == null && kept.get(version) instanceof ObjectNode;
            if (!refused) {
                kept.remove(version);
            }
            if (converted == null) {
                converted = converted(content, target, own, metadata);
            }
            kept.remove(from.kind.version());
            if (!converted.complete) {
                kept.set(from.kind.version(), own);
            }
            return object(converted.content, fittingMetadata(source, kept, refused));
        }

        /** Converters can read metadata. */
        private ObjectNode object(JsonNode content, JsonNode metadata) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            object.put("apiVersion", to.kind.apiVersion()).put("kind", to.kind.kind());
            if (!metadata.isMissingNode()) {
                object.set("metadata", metadata);
            }
            object.setAll((ObjectNode) content);
            return object;
        }

        private B decoded(JsonNode content, JsonNode metadata) throws UndecodableException {
            return Decoding.decode(object(content, metadata), to.type);
        }

        private Converted converted(ObjectNode content, B target, ObjectNode own, JsonNode metadata) throws Exception {
            checkSendable(content, 1, context.work);
            A returned = checked(back.convert(target), from, metadata);
            return new Converted(content, sameContent(own, content(Decoding.encode(returned)), context.work));
        }

        /**
         * Return null if the kept content cannot be restored: a user has changed the annotation, or the converter refuses it now. Users
         * who may write one object would otherwise hide all objects of its kind. The annotation then stays as it is.
         */
        private @Nullable Converted restored(ObjectNode earlier, ObjectNode content, ObjectNode own, JsonNode metadata)
                throws Exception {
            try {
                A other = checked(back.convert(decoded(earlier, metadata)), from, metadata);
                B again = checked(there.convert(other), to, metadata);
                JsonNode merged = TreeMerge.apply(earlier, content(Decoding.encode(again)), content, context.work);
                return converted((ObjectNode) merged, decoded(merged, metadata), own, metadata);
            } catch (InterruptedException | CancellationException e) { // the caller has gone
                throw e;
            } catch (Throwable e) { // for example a StackOverflowError
                context.unrestored.accept(e);
                return null;
            }
        }

        /** Return the metadata with the annotation. If it is too large, it loses what no version can restore. */
        private ObjectNode fittingMetadata(ObjectNode source, ObjectNode kept, boolean refused)
                throws WrongResultException {
            ObjectNode metadata = metadata(source, kept);
            if (metadata.equals(source.path("metadata")) || annotationBytes(metadata) <= MAX_ANNOTATION_BYTES) {
                return metadata;
            }
            kept.retain(context.versions);
            if (refused) {
                kept.remove(to.kind.version());
            }
            metadata = metadata(source, kept);
            int bytes = annotationBytes(metadata);
            if (bytes > MAX_ANNOTATION_BYTES) {
                throw new WrongResultException("the annotations, with what " + to.kind.version()
                        + " cannot express, would have " + bytes + " bytes, and the API server accepts "
                        + MAX_ANNOTATION_BYTES + ": use " + from.kind.version()
                        + ", or make the object or its annotations smaller (R4J-424)");
            }
            return metadata;
        }
    }
}
