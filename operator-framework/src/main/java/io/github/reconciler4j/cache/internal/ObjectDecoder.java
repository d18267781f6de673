package io.github.reconciler4j.cache.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns entries into objects of one class. Safe for use by many threads.
 *
 * @param <T> the class
 */
final class ObjectDecoder<T extends HasMetadata> {

    private final KindInfo kind;
    private final Class<T> type;
    private final Supplier<ObjectMapper> mapper;
    private final BiConsumer<Entry, UndecodableObjectException> failures;
    private volatile @Nullable ObjectReader reader;

    /**
     * Creates it.
     *
     * @param mapper asked for when the first object is decoded, so that a header-only user never loads data binding
     * @param failures is told of each object that does not fit
     */
    ObjectDecoder(
            KindInfo kind,
            Class<T> type,
            Supplier<ObjectMapper> mapper,
            BiConsumer<Entry, UndecodableObjectException> failures) {
        this.kind = kind;
        this.type = type;
        this.mapper = mapper;
        this.failures = failures;
    }

    /** The class objects are decoded into. */
    Class<T> type() {
        return type;
    }

    /**
     * The object: a fresh one, or in {@link StorageForm#DECODED} the one that all share.
     *
     * @throws UndecodableObjectException if the object does not fit the class
     */
    T decode(Entry entry) {
        return entry.body() instanceof SharedBody shared ? shared.object(type, () -> fresh(entry)) : fresh(entry);
    }

    private T fresh(Entry entry) {
        T object;
        try {
            object = reader().readValue(entry.json());
        } catch (JsonProcessingException e) {
            UndecodableObjectException failure =
                    new UndecodableObjectException(kind.kind(), entry.key(), type, pathOf(e));
            failures.accept(entry, failure);
            throw failure;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        nameKind(object);
        return object;
    }

    /** Items of a list of built-in objects come without kind and apiVersion. */
    private void nameKind(T object) {
        if (object.getKind() == null) {
            setKind(object);
        }
        if (object.getApiVersion() == null || object.getApiVersion().isEmpty()) {
            object.setApiVersion(kind.kind().apiVersion());
        }
    }

    private void setKind(T object) {
        if (object instanceof io.fabric8.kubernetes.api.model.GenericKubernetesResource generic) {
            generic.setKind(kind.kind().kind());
        }
    }

    private ObjectReader reader() {
        ObjectReader known = reader;
        if (known == null) {
            known = mapper.get().readerFor(type);
            reader = known;
        }
        return known;
    }

    /** Where it does not fit; Jackson's own text is left out because it quotes the value. */
    private static String pathOf(JsonProcessingException failure) {
        if (!(failure instanceof JsonMappingException mapping)) {
            return "";
        }
        StringBuilder path = new StringBuilder();
        List<JsonMappingException.Reference> references = mapping.getPath();
        for (JsonMappingException.Reference reference : references) {
            if (reference.getFieldName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.length() == 0 ? "" : ".").append(reference.getFieldName());
            }
        }
        return path.toString();
    }
}
