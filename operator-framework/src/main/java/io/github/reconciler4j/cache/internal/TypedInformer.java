package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A kind seen through one class. Keeps nothing of its own. */
final class TypedInformer<T extends HasMetadata> implements Informer<T> {

    private static final Logger LOG = LoggerFactory.getLogger(TypedInformer.class);
    /** Not a name a user would choose, as it is no valid Java identifier nor path. */
    private static final String OWNERS = "\0owners";

    private final KindCache kind;
    private final ObjectDecoder<T> decoder;

    TypedInformer(KindCache kind, ObjectDecoder<T> decoder) {
        this.kind = kind;
        this.decoder = decoder;
    }

    KindCache cache() {
        return kind;
    }

    ObjectDecoder<T> decoder() {
        return decoder;
    }

    @Override
    public KindInfo kind() {
        return kind.info();
    }

    @Override
    public boolean hasSynced() {
        return kind.hasSynced();
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        if (!kind.awaitSync(timeout) || !kind.hasSynced()) {
            kind.failUnlessReadable(false, timeout);
        }
    }

    @Override
    public Subscription subscribe(String name, ObjectListener<T> listener) {
        DefaultSubscription<T> subscription = new DefaultSubscription<>(name, kind, decoder, listener);
        kind.feed().add(subscription);
        return subscription;
    }

    @Override
    public Optional<ObjectSnapshot<T>> get(ObjectKey key) {
        @Nullable Entry entry = kind.view().get(key);
        return entry == null ? Optional.empty() : Optional.of(new EntrySnapshot<>(entry, decoder));
    }

    @Override
    public List<ObjectSnapshot<T>> list(String namespace) {
        return snapshots(kind.view().list(namespace));
    }

    @Override
    public List<ObjectSnapshot<T>> ownedBy(String ownerUid) {
        List<Entry> owned = kind.view().find(OWNERS, ownerUid);
        if (owned == null) { // the first to ask makes the index
            kind.feed().addIndexIfAbsent(new TermIndex(OWNERS, TypedInformer::owners));
            owned = kind.view().find(OWNERS, ownerUid);
        }
        if (owned == null) { // somebody else is just making it
            owned = kind.view().list("").stream()
                    .filter(entry -> owners(entry).contains(ownerUid))
                    .toList();
        }
        return snapshots(owned);
    }

    private static Collection<String> owners(Entry entry) {
        return entry.ownerReferences().stream().map(OwnerRef::uid).toList();
    }

    @Override
    public void addIndex(String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> terms) {
        TermIndex index = new TermIndex(name, entry -> terms(name, terms, entry));
        if (!kind.feed().addIndexIfAbsent(index)) {
            throw new IllegalStateException(
                    "There is an index '" + name + "' of " + kind.info().resource() + " already");
        }
    }

    private Collection<String> terms(
            String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> function, Entry entry) {
        try {
            Set<String> terms = new HashSet<>();
            function.apply(new EntrySnapshot<>(entry, decoder)).forEach(terms::add);
            return terms;
        } catch (RuntimeException e) { // one object that does not fit must not stop the others
            LOG.warn(
                    "The index '{}' leaves out {} {}: {}",
                    name,
                    kind.info().kind().kind(),
                    entry,
                    e.getClass().getName());
            return List.of();
        }
    }

    @Override
    public List<ObjectSnapshot<T>> byIndex(String name, String term) {
        @Nullable List<Entry> found = kind.view().find(name, term);
        if (found == null) {
            throw new IllegalArgumentException(
                    "There is no index '" + name + "' of " + kind.info().resource() + ": add it with addIndex");
        }
        return snapshots(found);
    }

    private List<ObjectSnapshot<T>> snapshots(List<Entry> entries) {
        List<ObjectSnapshot<T>> snapshots = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            snapshots.add(new EntrySnapshot<>(entry, decoder));
        }
        return snapshots;
    }
}
