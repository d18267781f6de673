package io.github.reconciler4j.cache.internal.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns entries into objects of one class: a fresh one each time, or with {@code StorageForm.DECODED} the one that all
 * share. Thread-safe.
 *
 * @param <T> the class
 * @since 0.1.0
 */
public final class ObjectDecoder<T extends HasMetadata> implements EntryDecoder<T> {

    private final KindInfo kind;
    private final Class<T> type;
    private final BiConsumer<Entry, UndecodableObjectException> failures;
    private final Function<Entry, T> fresh = this::fresh;
    private volatile @Nullable ObjectReader reader;
    private volatile @Nullable RecentObjects<T> recent;

    /**
     * Create a decoder.
     *
     * @param failures is called for each object that does not fit
     */
    public ObjectDecoder(KindInfo kind, Class<T> type, BiConsumer<Entry, UndecodableObjectException> failures) {
        this.kind = kind;
        this.type = type;
        this.failures = failures;
    }

    @Override
    public T decode(Entry entry) {
        try {
            return read(entry);
        } catch (StackOverflowError e) { // of reading it, or of copying what was read before
            throw failed(entry, nested(entry));
        }
    }

    private T read(Entry entry) {
        if (entry.body() instanceof SharedBody shared) {
            return shared.object(type, () -> fresh(entry));
        }
        RecentObjects<T> known = recent;
        if (known == null) {
            known = new RecentObjects<>(); // of two threads that read first, one has read in vain
            recent = known;
        }
        return known.get(entry, fresh);
    }

    private T fresh(Entry entry) {
        T object;
        try {
            object = reader().readValue(entry.json());
        } catch (JsonProcessingException e) {
            throw failed(entry, isNested(e) ? nested(entry) : unfit(entry, e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        nameKind(object);
        return object;
    }

    private UndecodableObjectException failed(Entry entry, UndecodableObjectException failure) {
        failures.accept(entry, failure);
        return failure;
    }

    private UndecodableObjectException unfit(Entry entry, JsonProcessingException failure) {
        return UndecodableObjectException.of(kind.kind(), entry.key(), type, failure);
    }

    private UndecodableObjectException nested(Entry entry) {
        return new UndecodableObjectException(
                kind.kind(),
                entry.key(),
                type,
                "",
                ", because its values are nested too deeply for the stack of the thread, or deeper than 1000 levels");
    }

    private static boolean isNested(Throwable failure) {
        StreamConstraintsException limit = Causes.find(failure, StreamConstraintsException.class);
        return Causes.contains(failure, StackOverflowError.class)
                || limit != null && String.valueOf(limit.getMessage()).contains("nesting depth");
    }

    /** Items of a list of built-in objects come without kind and apiVersion. */
    private void nameKind(T object) {
        if (object.getKind() == null && object instanceof GenericKubernetesResource generic) {
            generic.setKind(kind.kind().kind());
        }
        if (object.getApiVersion() == null || object.getApiVersion().isEmpty()) {
            object.setApiVersion(kind.kind().apiVersion());
        }
    }

    /** The mapper is created with the first object, so that a user of headers never loads data binding. */
    private ObjectReader reader() {
        ObjectReader known = reader;
        if (known == null) {
            known = KubernetesJson.mapper().readerFor(type);
            reader = known;
        }
        return known;
    }
}
