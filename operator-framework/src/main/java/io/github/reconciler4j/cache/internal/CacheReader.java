package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.UnsupportedSelectorException;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.storage.FieldTerms;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.HeaderIndexes;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads all kinds of a cache, with pending writes or without. A read of a kind that is ready takes one map, the view of its
 * store and its decoder. Thread-safe without locks. It is public, because the compiler would add a second method to the cache
 * for each of its methods otherwise.
 *
 * @since 0.1.0
 */
public class CacheReader implements Reader {

    private static final Comparator<Entry> BY_KEY =
            Comparator.comparing(Entry::namespace).thenComparing(Entry::name);

    private final Scheme scheme;
    private final WatchedKinds kinds;
    private final Duration syncTimeout;
    private final boolean pendingWrites;
    private final Map<Class<?>, Form<?>> typed;
    private final Map<KindName, Form<?>> generic;
    private final Map<KindName, Form<?>> metadata;

    /** A form in which a kind was used: a class, generic objects, or headers. Created with the first use. */
    private record Form<T>(WatchedKind watched, EntryDecoder<T> decoder, DefaultInformer<T> informer) {}

    /** Create a reader with pending writes. */
    CacheReader(Scheme scheme, WatchedKinds kinds, Duration syncTimeout) {
        this.scheme = scheme;
        this.kinds = kinds;
        this.syncTimeout = syncTimeout;
        this.pendingWrites = true;
        this.typed = new ConcurrentHashMap<>();
        this.generic = new ConcurrentHashMap<>();
        this.metadata = new ConcurrentHashMap<>();
    }

    /** Create a reader of the same kinds without pending writes. */
    private CacheReader(CacheReader from) {
        this.scheme = from.scheme;
        this.kinds = from.kinds;
        this.syncTimeout = from.syncTimeout;
        this.pendingWrites = false;
        this.typed = from.typed;
        this.generic = from.generic;
        this.metadata = from.metadata;
    }

    /** Return a reader without pending writes. */
    Reader withoutPendingWrites() {
        return new CacheReader(this);
    }

    /** Return the informer of a form of a kind, created on first use. */
    <T> DefaultInformer<T> informerOf(Kind<T> kind) {
        return form(kind).informer();
    }

    @SuppressWarnings("unchecked") // what is kept for a form has the type of that form
    private <T> Form<T> form(Kind<T> kind) {
        Form<T> known = find(kind);
        return known != null ? known : (Form<T>) (kind.isMetadata() ? createMetadata(kind) : create(kind));
    }

    /** Return a form of a kind that was used before, null otherwise. */
    @SuppressWarnings("unchecked") // as above
    private <T> @Nullable Form<T> find(Kind<T> kind) {
        if (kind.isMetadata()) {
            return (Form<T>) metadata.get(kind.name());
        }
        return (Form<T>) (isTyped(kind) ? typed.get(kind.objectType()) : generic.get(kind.name()));
    }

    private static boolean isTyped(Kind<?> kind) {
        return kind.type().isPresent();
    }

    private Form<?> create(Kind<?> kind) {
        WatchedKind watched = kinds.get(scheme.kindOf(kind), true);
        watched.requireBodies();
        Form<?> created = form(watched, watched.decoder(kind.objectType().asSubclass(HasMetadata.class)), true);
        Form<?> before = isTyped(kind)
                ? typed.putIfAbsent(kind.objectType(), created)
                : generic.putIfAbsent(kind.name(), created);
        return before == null ? created : before;
    }

    private Form<?> createMetadata(Kind<?> kind) {
        KindInfo info = scheme.kindOf(kind);
        Form<?> created = form(kinds.get(info, false), EntryDecoder.HEADER, false);
        Form<?> before = metadata.putIfAbsent(info.kind(), created);
        return before == null ? created : before;
    }

    private <T> Form<T> form(WatchedKind watched, EntryDecoder<T> decoder, boolean bodies) {
        return new Form<>(watched, decoder, new DefaultInformer<>(watched, decoder, bodies, syncTimeout));
    }

    @Override
    public <T> Optional<T> get(Kind<T> kind, ObjectKey key) {
        @Nullable Form<T> known = find(kind);
        @Nullable KindStore ready = known == null ? null : known.watched().ready();
        KindStore store = ready != null ? ready : await(kind, key.namespace());
        @Nullable Entry entry = store.view(pendingWrites).get(key);
        if (entry == null) {
            return Optional.empty();
        }
        Form<T> form = known != null ? known : form(kind);
        return Optional.of(form.decoder().decode(entry));
    }

    @Override
    public <T> List<T> list(Kind<T> kind, Selection options) {
        KindStore store = await(kind, namespace(options));
        return decode(
                select(store, store.view(pendingWrites), options), form(kind).decoder());
    }

    @Override
    public <T> List<T> listOwned(HasMetadata owner, Kind<T> kind) {
        KindStore store = await(kind, namespace(owner));
        Form<T> form = form(kind);
        String uid = OwnerReferences.uid(owner);
        return decode(owned(form.watched(), store.view(pendingWrites), namespace(owner), uid), form.decoder());
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
    private static <T> List<T> decode(List<Entry> entries, EntryDecoder<T> decoder) {
        List<T> objects = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            try {
                objects.add(decoder.decode(entry));
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
