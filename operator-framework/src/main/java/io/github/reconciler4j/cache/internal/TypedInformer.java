package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.UnsupportedSelectorException;
import io.github.reconciler4j.cache.internal.FieldTerms.IndexTerm;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A kind seen through one class. Keeps nothing of its own. */
final class TypedInformer<T extends HasMetadata> implements Informer<T> {

    private final KindSlot slot;
    private final ObjectDecoder<T> decoder;
    private final LastSnapshot<T> snapshots;
    private final Duration syncTimeout;

    TypedInformer(KindSlot slot, Class<T> type, CacheOptions options) {
        this.slot = slot;
        this.decoder = slot.decoder(type);
        this.snapshots = new LastSnapshot<>(decoder);
        this.syncTimeout = options.syncTimeout();
    }

    ObjectDecoder<T> decoder() {
        return decoder;
    }

    @Override
    public KindInfo kind() {
        return slot.info();
    }

    @Override
    public String notReadyReason() {
        KindCache kind = slot.current();
        return !kind.hasSynced() && kind.state().requiresAction() ? kind.notReadyReason() : "";
    }

    @Override
    public boolean hasSynced() {
        return slot.current().hasSynced();
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        KindCache kind = slot.current();
        if (!kind.awaitSync(timeout) || !kind.hasSynced()) {
            throw new KindReadiness(kind, "").failure(false, timeout);
        }
    }

    @Override
    public Subscription subscribe(String name, ObjectListener<T> listener) {
        return slot.subscribe(name, decoder, listener);
    }

    /** What to read from; waits if it had been dropped, because it would be empty for no reason the reader knows. */
    private KindCache reading() {
        KindCache kind = slot.reading();
        return kind.isRestarted() ? KindReadiness.await(slot, "", syncTimeout) : kind;
    }

    @Override
    public Optional<ObjectSnapshot<T>> get(ObjectKey key) {
        @Nullable Entry entry = reading().view().get(key);
        return entry == null ? Optional.empty() : Optional.of(new EntrySnapshot<>(entry, decoder));
    }

    @Override
    public List<ObjectSnapshot<T>> list(String namespace) {
        return snapshots(reading().view().list(namespace));
    }

    @Override
    public List<ObjectSnapshot<T>> list(ListOptions options) {
        KindCache kind = reading();
        return snapshots(CachedReads.select(kind, kind.view(), options));
    }

    @Override
    public List<ObjectSnapshot<T>> ownedBy(String ownerUid) {
        KindCache kind = reading();
        return snapshots(CachedReads.owned(slot, kind.view(), "", ownerUid));
    }

    @Override
    public void addLabelIndex(String label) {
        slot.addIndexIfAbsent(BuiltInIndexes.label(label), BuiltInIndexes.labelTerms(label));
    }

    @Override
    public void addIndex(String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> terms) {
        if (!slot.addIndexIfAbsent(name, new UserTerms<>(name, kind(), snapshots, terms, slot.log()))) {
            throw new IllegalStateException("There is an index '" + name + "' of " + kind().resource() + " already");
        }
    }

    @Override
    public List<ObjectSnapshot<T>> byIndex(String name, String term) {
        @Nullable List<Entry> found = reading().view().find(List.of(new IndexTerm(name, term)));
        if (found == null) {
            throw new UnsupportedSelectorException(
                    "There is no index '" + name + "' of " + kind().resource() + ": add it with addIndex");
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
