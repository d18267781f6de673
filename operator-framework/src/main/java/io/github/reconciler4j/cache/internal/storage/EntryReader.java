package io.github.reconciler4j.cache.internal.storage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectTransform;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.internal.json.ByteBuilder;
import io.github.reconciler4j.cache.internal.json.HeaderReader;
import io.github.reconciler4j.cache.internal.json.ItemReader;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.internal.UserCall;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads single objects, and turns them into entries if wanted. Confined to one thread.
 *
 * @since 0.1.0
 */
public final class EntryReader {

    private final ItemReader items;
    private final HeaderReader headers;
    private final BodyEncoder encoder;
    private final @Nullable Transformer transformer;
    private MutableHeader header = new MutableHeader();

    /** Create a reader of these parts. */
    public EntryReader(ItemReader items, HeaderReader headers, BodyEncoder encoder, @Nullable Transformer transformer) {
        this.items = items;
        this.headers = headers;
        this.encoder = encoder;
        this.transformer = transformer;
    }

    /**
     * Creates readers for one kind. Thread-safe.
     *
     * @param info the kind
     * @param options how the kind is cached
     * @param strings shares strings
     * @param compact deflates bodies
     * @since 0.1.0
     */
    public record Factory(KindInfo info, KindCacheOptions options, StringInterner strings, CompactEncoder compact) {

        /**
         * Create a reader of objects for the store.
         *
         * @param bodies whether objects come with their bodies
         */
        public EntryReader create(boolean bodies) {
            BodyEncoder encoder = switch (options.storage()) {
                case COMPACT -> compact;
                case DECODED -> BodyEncoder.shared(compact);
                case ENCODED -> BodyEncoder.PLAIN;
                case METADATA -> BodyEncoder.HEADER_ONLY;
            };
            return create(bodies ? encoder : BodyEncoder.HEADER_ONLY, bodies);
        }

        /**
         * Create a reader of objects that are only kept for a short time.
         *
         * @param bodies whether objects come with their bodies
         */
        public EntryReader createForShortTime(boolean bodies) {
            BodyEncoder encoder = !bodies || options.storage() == StorageForm.METADATA
                    ? BodyEncoder.HEADER_ONLY
                    : options.storage() == StorageForm.DECODED
                            ? BodyEncoder.shared(BodyEncoder.PLAIN)
                            : BodyEncoder.PLAIN;
            return create(encoder, bodies);
        }

        private EntryReader create(BodyEncoder encoder, boolean bodies) {
            Transformer transformer = options.transform()
                    .map(transform -> new Transformer(info, transform, KubernetesJson.mapper(), bodies))
                    .orElse(null);
            return new EntryReader(
                    new ItemReader(options.dropLastApplied()), new HeaderReader(strings), encoder, transformer);
        }
    }

    /**
     * Read the object that comes next.
     *
     * @throws IOException if it is no JSON object, or the stream ends or fails
     */
    public void read(JsonReader from) throws IOException {
        items.read(from);
    }

    /** Return the object that was read last. */
    public ItemReader item() {
        return items;
    }

    /** Return the JSON of the object that was read last, valid until the next one is read. */
    public ByteBuilder json() {
        return items.object();
    }

    /**
     * Return the metadata of the object that was read last, valid until the next one is read.
     *
     * @throws StreamCorruptedException if it is not valid JSON
     */
    public MutableHeader header() throws IOException {
        header = headers.read(json().array(), items.metadataStart(), items.metadataEnd());
        return header;
    }

    /** Return the metadata that was read last. */
    public MutableHeader lastHeader() {
        return header;
    }

    /** Return an entry of the object that was read last and whose header was read. */
    public Entry entry() throws IOException {
        if (transformer != null && transformer.transform(items)) {
            header();
        }
        return encoder.encode(header, json());
    }

    /**
     * Applies a user's transform to objects. If it fails, the object is kept as it was received. Confined to one thread.
     *
     * @since 0.1.0
     */
    public static final class Transformer {

        private static final Logger LOG = LoggerFactory.getLogger(Transformer.class);
        private static final TypeReference<Map<String, Object>> TREE = new TypeReference<>() {};
        private static final List<String> IDENTITY = List.of("name", "namespace", "uid", "resourceVersion");

        private final KindInfo kind;
        private final ObjectTransform transform;
        private final ObjectMapper mapper;
        private boolean warned;

        /**
         * Create it.
         *
         * @param bodies whether objects come with their bodies; a transform of bodies may fail on metadata alone
         */
        public Transformer(KindInfo kind, ObjectTransform transform, ObjectMapper mapper, boolean bodies) {
            this.kind = kind;
            this.transform = transform;
            this.mapper = mapper;
            this.warned = !bodies;
        }

        /** Return the namespace and name, which the transform may change later. */
        private static String key(Map<String, Object> tree) {
            Map<?, ?> metadata = tree.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
            Object namespace = metadata.get("namespace");
            return namespace == null ? String.valueOf(metadata.get("name")) : namespace + "/" + metadata.get("name");
        }

        /** Return what a transform must not change. */
        private static List<String> identity(Map<String, Object> tree) {
            Map<?, ?> metadata = tree.get("metadata") instanceof Map<?, ?> map ? map : Map.of();
            return IDENTITY.stream()
                    .map(field -> String.valueOf(metadata.get(field)))
                    .toList();
        }

        /** Replace the object that was read last; false if the transform failed and the object stays as it is. */
        boolean transform(ItemReader items) throws IOException {
            byte[] changed;
            try {
                Map<String, Object> tree = mapper.readValue(
                        items.object().array(), 0, items.object().size(), TREE);
                List<String> identity = identity(tree);
                run(tree);
                if (!identity(tree).equals(identity)) {
                    throw new ChangedIdentityException();
                }
                changed = mapper.writeValueAsBytes(tree);
            } catch (Throwable e) { // an Error as well: it must not keep all other objects out
                warn(e);
                return false;
            }
            items.read(new JsonReader(changed, changed.length));
            return true;
        }

        /** Run the user's code. An interrupt that it causes must not end the request that is being read. */
        private void run(Map<String, Object> tree) {
            UserCall call = UserCall.enter(UserCall.Kind.TRANSFORM, kind.resource(), key(tree));
            try {
                transform.transform(tree);
            } finally {
                call.exit();
                Thread.interrupted();
            }
        }

        /** Messages of other exceptions may contain content of the object. */
        private void warn(Throwable failure) {
            if (!warned) {
                warned = true;
                LOG.warn(
                        "Transform of {} failed with {}; such objects are kept as they were received",
                        kind.resource(),
                        failure instanceof ChangedIdentityException changed
                                ? changed.getMessage()
                                : failure.getClass().getName());
            }
        }

        private static final class ChangedIdentityException extends RuntimeException {
            private static final long serialVersionUID = 1L;

            ChangedIdentityException() {
                super("it changed name, namespace, uid or resourceVersion");
            }
        }
    }
}
