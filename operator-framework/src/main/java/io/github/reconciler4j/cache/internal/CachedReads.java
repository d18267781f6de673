package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.UndecodableObjectException;
import io.github.reconciler4j.scheme.LabelSelector;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers reads of one kind out of its store. */
final class CachedReads {

    private static final Comparator<Entry> BY_KEY =
            Comparator.comparing(Entry::namespace).thenComparing(Entry::name);

    private CachedReads() {}

    /** A fresh object, empty if there is none. */
    static <T extends HasMetadata> Optional<T> get(TypedInformer<T> informer, ObjectKey key) {
        @Nullable Entry entry = informer.cache().view().get(key);
        return entry == null ? Optional.empty() : Optional.of(informer.decoder().decode(entry));
    }

    /** Fresh objects, by namespace and name; those that do not fit their class are left out and counted. */
    static <T extends HasMetadata> List<T> list(TypedInformer<T> informer, ListOptions options) {
        List<Entry> entries = select(informer.cache(), options);
        List<T> objects = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            try {
                objects.add(informer.decoder().decode(entry));
            } catch (UndecodableObjectException e) {
                continue; // noted by the decoder; one bad object must not hide the others
            }
        }
        return objects;
    }

    /** Headers, by namespace and name. */
    static List<ObjectHeader> headers(KindCache kind, ListOptions options) {
        return List.copyOf(select(kind, options));
    }

    private static List<Entry> select(KindCache kind, ListOptions options) {
        FieldTerms fields = FieldTerms.parse(options.fieldSelector());
        LabelSelector labels = LabelSelector.parse(options.labelSelector());
        List<Entry> selected = new ArrayList<>();
        for (Entry entry : kind.view().list(fields.namespaceOr(options.namespace()))) {
            if (fields.matches(entry) && matches(options, entry) && labels.matches(entry.labels())) {
                selected.add(entry);
            }
        }
        selected.sort(BY_KEY);
        int limit = options.limit();
        return limit > 0 && selected.size() > limit ? selected.subList(0, limit) : selected;
    }

    private static boolean matches(ListOptions options, Entry entry) {
        return options.namespace().isEmpty() || options.namespace().equals(entry.namespace());
    }
}
