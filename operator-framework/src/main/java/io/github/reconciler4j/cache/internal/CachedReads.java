package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.UnsupportedSelectorException;
import io.github.reconciler4j.cache.internal.FieldTerms.IndexTerm;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.LabelSelector;
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

    /** The namespace that a list is about, {@code ""} for all. */
    static String namespace(ListOptions options) {
        return FieldTerms.parse(options.fieldSelector()).namespaceOr(options.namespace());
    }

    /** A fresh object, empty if there is none. */
    static <T extends HasMetadata> Optional<T> get(View view, ObjectDecoder<T> decoder, ObjectKey key) {
        @Nullable Entry entry = view.get(key);
        return entry == null ? Optional.empty() : Optional.of(decoder.decode(entry));
    }

    /** Fresh objects, by namespace and name; those that do not fit their class are left out and counted. */
    static <T extends HasMetadata> List<T> list(
            KindCache kind, View view, ObjectDecoder<T> decoder, ListOptions options) {
        return decode(select(kind, view, options), decoder);
    }

    /** Fresh objects; those that do not fit their class are left out and counted. */
    static <T extends HasMetadata> List<T> decode(List<Entry> entries, ObjectDecoder<T> decoder) {
        List<T> objects = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            try {
                objects.add(decoder.decode(entry));
            } catch (UndecodableObjectException e) {
                continue; // noted by the decoder; one bad object must not hide the others
            }
        }
        return objects;
    }

    /** The objects with an owner of this uid, by namespace and name; {@code ""} is any namespace. */
    static List<Entry> owned(KindSlot slot, View view, String namespace, String ownerUid) {
        List<IndexTerm> term = List.of(new IndexTerm(BuiltInIndexes.OWNERS, ownerUid));
        List<Entry> owned = view.find(term);
        if (owned == null) { // the first call creates the index
            slot.addIndexIfAbsent(BuiltInIndexes.OWNERS, BuiltInIndexes::owners);
            owned = view.find(term);
        }
        if (owned == null) { // another thread is creating it
            owned = view.list(namespace).stream()
                    .filter(entry -> BuiltInIndexes.owners(entry).contains(ownerUid))
                    .toList();
        }
        return owned.stream()
                .filter(entry ->
                        namespace.isEmpty() || entry.namespace().isEmpty() || namespace.equals(entry.namespace()))
                .sorted(BY_KEY)
                .toList();
    }

    /** What the options select, by namespace and name. */
    static List<Entry> select(KindCache kind, View view, ListOptions options) {
        FieldTerms fields = FieldTerms.parse(options.fieldSelector());
        LabelSelector labels = LabelSelector.parse(options.labelSelector());
        List<Entry> selected = new ArrayList<>();
        for (Entry entry : candidates(kind, view, fields, labels, options)) {
            boolean fits = fields.matches(entry.namespace(), entry.name()) && matches(options, entry);
            if (fits && labels.matches(entry.labels())) {
                selected.add(entry);
            }
        }
        selected.sort(BY_KEY);
        int limit = options.limit();
        return limit > 0 && selected.size() > limit ? selected.subList(0, limit) : selected;
    }

    /** Entries of which all that are selected are some: as few as indexes can tell. */
    private static List<Entry> candidates(
            KindCache kind, View view, FieldTerms fields, LabelSelector labels, ListOptions options) {
        List<IndexTerm> terms = new ArrayList<>(fields.indexTerms());
        labels.requiredValues().forEach((label, value) -> {
            String index = BuiltInIndexes.label(label);
            if (kind.store().index(index) != null) {
                terms.add(new IndexTerm(index, value));
            }
        });
        List<Entry> found = terms.isEmpty() ? null : view.find(terms);
        if (found == null && !fields.indexTerms().isEmpty()) {
            throw new UnsupportedSelectorException("The cache of " + kind.info().resource() + " cannot select by '"
                    + options.fieldSelector() + "': besides metadata.name and metadata.namespace it needs an index of"
                    + " that name, see Informer.addIndex; or read live");
        }
        return found != null ? found : view.list(fields.namespaceOr(options.namespace()));
    }

    private static boolean matches(ListOptions options, Entry entry) {
        return options.namespace().isEmpty() || options.namespace().equals(entry.namespace());
    }
}
