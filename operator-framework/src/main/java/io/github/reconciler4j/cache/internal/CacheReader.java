package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.UnsupportedSelectorException;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.FieldTerms;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.HeaderIndexes;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads all kinds of a cache, with pending writes or without. Thread-safe. It is public, because the compiler would add a second
 * method to the cache for each of its methods otherwise.
 *
 * @since 0.1.0
 */
public class CacheReader implements Reader {

    private static final Comparator<Entry> BY_KEY =
            Comparator.comparing(Entry::namespace).thenComparing(Entry::name);

    private final Scheme scheme;
    private final WatchedKinds kinds;
    private final Informers informers;
    private final boolean pendingWrites;

    CacheReader(Scheme scheme, WatchedKinds kinds, Informers informers, boolean pendingWrites) {
        this.scheme = scheme;
        this.kinds = kinds;
        this.informers = informers;
        this.pendingWrites = pendingWrites;
    }

    @Override
    public <T> Optional<T> get(Kind<T> kind, ObjectKey key) {
        @Nullable DefaultInformer<T> known = informers.find(kind);
        @Nullable KindStore ready = known == null ? null : known.watched().ready();
        KindStore store = ready != null ? ready : await(kind, key.namespace());
        @Nullable Entry entry = store.view(pendingWrites).get(key);
        if (entry == null) {
            return Optional.empty();
        }
        DefaultInformer<T> informer = known != null ? known : informers.get(kind);
        return Optional.of(informer.decoder().decode(entry));
    }

    @Override
    public <T> List<T> list(Kind<T> kind, Selection options) {
        KindStore store = await(kind, namespace(options));
        return decode(select(store, store.view(pendingWrites), options), informers.get(kind));
    }

    @Override
    public <T> List<T> listOwned(HasMetadata owner, Kind<T> kind) {
        KindStore store = await(kind, namespace(owner));
        DefaultInformer<T> informer = informers.get(kind);
        String uid = OwnerReferences.uid(owner);
        return decode(owned(informer.watched(), store.view(pendingWrites), namespace(owner), uid), informer);
    }

    /** Wait until a namespace of a kind can be read. */
    private KindStore await(Kind<?> kind, String namespace) {
        return kinds.await(scheme.kindOf(kind), namespace, !kind.isMetadata());
    }

    private static String namespace(HasMetadata owner) {
        return Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
    }

    /** Return the namespace that a list is about, {@code ""} for all. */
    private static String namespace(Selection options) {
        return FieldTerms.parse(options.fieldSelector()).namespaceOr(options.namespace());
    }

    /** Return fresh objects; those that do not fit their class are left out. */
    private static <T> List<T> decode(List<Entry> entries, DefaultInformer<T> informer) {
        List<T> objects = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            try {
                objects.add(informer.decoder().decode(entry));
            } catch (UndecodableObjectException e) {
                continue; // recorded by the decoder; one such object must not hide the others
            }
        }
        return objects;
    }

    /** Return what options select, by namespace and name. */
    static List<Entry> select(KindStore kind, ReadView view, Selection options) {
        FieldTerms fields = FieldTerms.parse(options.fieldSelector());
        LabelMatcher labels = LabelMatcher.parse(options.labelSelector());
        List<Entry> selected = new ArrayList<>();
        for (Entry entry : candidates(kind, view, fields, labels, options)) {
            boolean named = fields.matches(entry.namespace(), entry.name()) && isIn(options.namespace(), entry);
            if (named && labels.matches(entry.labels())) {
                selected.add(entry);
            }
        }
        selected.sort(BY_KEY);
        int limit = options.limit();
        return limit > 0 && selected.size() > limit ? selected.subList(0, limit) : selected;
    }

    /** Return entries that include all that are selected: as few as indexes allow. */
    private static List<Entry> candidates(
            KindStore kind, ReadView view, FieldTerms fields, LabelMatcher labels, Selection options) {
        List<IndexTerm> terms = new ArrayList<>(fields.indexTerms());
        labels.requiredValues().forEach((label, value) -> {
            String index = HeaderIndexes.label(label);
            if (kind.hasIndex(index)) {
                terms.add(new IndexTerm(index, value));
            }
        });
        List<Entry> found = terms.isEmpty() ? null : view.find(terms);
        if (found == null && !fields.indexTerms().isEmpty()) {
            String missing = fields.indexTerms().stream()
                    .map(IndexTerm::index)
                    .filter(name -> !kind.hasIndex(name))
                    .findFirst()
                    .orElse(fields.indexTerms().get(0).index());
            throw noIndex(kind, missing, ", so it cannot select by '" + options.fieldSelector() + "'");
        }
        return found != null ? found : view.list(fields.namespaceOr(options.namespace()));
    }

    /** Return the failure of a read by an index that the kind does not have. */
    static UnsupportedSelectorException noIndex(KindStore kind, String name, String consequence) {
        List<String> names = kind.indexNames();
        String meant = NearestName.of(name, names)
                .map(found -> ": did you mean '" + found + "'?")
                .orElse(names.isEmpty() ? "." : ". It has " + names + ".");
        return new UnsupportedSelectorException(
                "The cache of " + kind.info().resource() + " has no index '" + name + "'"
                        + consequence + meant
                        + " Declare the index with @Index, ControllerBuilder.index or Informer.addIndex, or"
                        + " read from the API server with client.live() (R4J-118)");
    }

    private static boolean isIn(String namespace, Entry entry) {
        return namespace.isEmpty() || namespace.equals(entry.namespace());
    }

    /** Return the objects with an owner of this uid, by namespace and name; {@code ""} is any namespace. */
    static List<Entry> owned(WatchedKind kind, ReadView view, String namespace, String ownerUid) {
        List<IndexTerm> term = List.of(new IndexTerm(HeaderIndexes.OWNERS, ownerUid));
        List<Entry> owned = view.find(term);
        if (owned == null) { // the first call creates the index
            kind.addIndexIfAbsent(HeaderIndexes.OWNERS, HeaderIndexes::owners, false);
            owned = view.find(term);
        }
        if (owned == null) { // another thread is creating it
            owned = view.list(namespace).stream()
                    .filter(entry -> HeaderIndexes.owners(entry).contains(ownerUid))
                    .toList();
        }
        return owned.stream()
                .filter(entry -> entry.namespace().isEmpty() || isIn(namespace, entry))
                .sorted(BY_KEY)
                .toList();
    }
}
