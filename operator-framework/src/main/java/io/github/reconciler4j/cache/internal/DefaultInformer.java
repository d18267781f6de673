package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.storage.EntrySnapshot;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.HeaderIndexes;
import io.github.reconciler4j.cache.internal.storage.ObjectStore.TermFunction;
import io.github.reconciler4j.cache.internal.subscription.DefaultSubscription;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.UserCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kind seen as objects of one type: a class, or headers. Keeps nothing of its own. Thread-safe.
 *
 * @param <T> the type of the objects
 */
final class DefaultInformer<T> implements Informer<T> {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultInformer.class);

    private final WatchedKind watched;
    private final EntryDecoder<T> decoder;
    private final boolean bodies;
    private final Duration syncTimeout;
    /** Null unless it is the informer of an optional kind. */
    private final @Nullable KindPresence presence;

    private volatile @Nullable EntrySnapshot<T> last;

    /**
     * Create an informer.
     *
     * @param bodies whether the objects need bodies
     */
    DefaultInformer(WatchedKind watched, EntryDecoder<T> decoder, boolean bodies, Duration syncTimeout) {
        this(watched, decoder, bodies && watched.storesBodies(), syncTimeout, null);
    }

    private DefaultInformer(
            WatchedKind watched,
            EntryDecoder<T> decoder,
            boolean bodies, // else every read of a body fails and says why
            Duration syncTimeout,
            @Nullable KindPresence presence) {
        this.watched = watched;
        this.decoder = decoder;
        this.bodies = bodies;
        this.syncTimeout = syncTimeout;
        this.presence = presence;
    }

    /** Return one whose subscriptions last while the kind is not served, and that waits for nothing then. */
    DefaultInformer<T> optional(KindPresence follows) {
        return new DefaultInformer<>(watched, decoder, bodies, syncTimeout, follows);
    }

    @Override
    public KindInfo kind() {
        return watched.info();
    }

    @Override
    public String cluster() {
        return watched.cluster();
    }

    @Override
    public String notReadyReason() {
        if (isAbsent()) {
            return "";
        }
        KindStore kind = watched.current();
        return !kind.hasSynced(bodies) && kind.state().requiresAction() ? kind.notReadyReason() : "";
    }

    private boolean isAbsent() {
        return presence != null && presence.isAbsent();
    }

    @Override
    public boolean hasSynced() {
        return isAbsent() || watched.current().hasSynced(bodies);
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        long end = TimeSource.system().nanoTime() + Nanos.of(timeout);
        if (presence != null) {
            presence.awaitKnown(timeout);
        }
        while (!isAbsent()) {
            KindStore kind = used();
            boolean inTime = kind.state()
                    .await(
                            () -> kind.hasSynced(bodies) || isAbsent(),
                            Duration.ofNanos(
                                    Math.max(0, end - TimeSource.system().nanoTime())));
            if (kind.hasSynced(bodies)) {
                return;
            }
            boolean ended = kind.state().isClosed() && !watched.isDropped(kind);
            if (!inTime || presence == null || ended) {
                throw new KindReadiness(kind, "", bodies).failure(false, timeout);
            }
        }
    }

    /** Return what is watched; a wait for an optional kind is a use of it. */
    private KindStore used() {
        KindStore reading = presence == null ? null : watched.reading(bodies);
        return reading == null ? watched.current() : reading;
    }

    @Override
    public Subscription subscribe(String name, ObjectListener<T> listener) {
        return presence == null
                ? watched.subscribe(view(), name, listener).subscription()
                : presence.subscribe(view(), name, listener);
    }

    /** Return what a listener sees. */
    private DefaultSubscription.View<T> view() {
        return new DefaultSubscription.View<>(decoder, bodies);
    }

    /**
     * Return what to read from. Waits if the kind had been dropped or only metadata was watched, because it would be empty
     * for no reason that the reader knows.
     */
    private KindStore reading() {
        KindStore kind = watched.reading(bodies);
        if (kind == null) {
            return watched.current();
        }
        boolean fetching = kind.hasSynced(false) && !kind.hasSynced(bodies);
        return kind.isRestarted() || fetching ? KindReadiness.await(watched, "", bodies, syncTimeout) : kind;
    }

    private boolean isReadable(Entry entry) {
        return !bodies || entry.hasBody();
    }

    @Override
    public Optional<ObjectSnapshot<T>> get(ObjectKey key) {
        @Nullable Entry entry = reading().view(true).get(key);
        return entry == null || !isReadable(entry)
                ? Optional.empty()
                : Optional.of(new EntrySnapshot<>(entry, decoder));
    }

    @Override
    public OptionalInt partOf(ObjectKey key) {
        return watched.current().partOf(key);
    }

    @Override
    public boolean isDivided() {
        return watched.current().parts().isDivided();
    }

    @Override
    public boolean hasParts() {
        return isAbsent() || watched.current().hasParts();
    }

    @Override
    public List<ObjectSnapshot<T>> list(String namespace) {
        return snapshots(reading().view(true).list(namespace));
    }

    @Override
    public List<ObjectSnapshot<T>> list(Selection options) {
        KindStore kind = reading();
        return snapshots(CacheReader.select(kind, kind.view(true), options));
    }

    @Override
    public List<ObjectSnapshot<T>> ownedBy(String ownerUid) {
        return snapshots(CacheReader.owned(watched, reading().view(true), "", ownerUid));
    }

    @Override
    public void addLabelIndex(String label) {
        watched.addIndexIfAbsent(HeaderIndexes.label(label), HeaderIndexes.labelTerms(label), false);
    }

    @Override
    public void addIndex(String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> terms) {
        if (!watched.addIndexIfAbsent(name, new UserTerms(name, terms), bodies)) {
            throw new IllegalStateException("There is already an index '" + name + "' of " + kind().resource());
        }
    }

    @Override
    public List<ObjectSnapshot<T>> byIndex(String name, String term) {
        KindStore kind = reading();
        @Nullable List<Entry> found = kind.view(true).find(List.of(new IndexTerm(name, term)));
        if (found == null) {
            throw CacheReader.noIndex(kind, name, "");
        }
        return snapshots(found);
    }

    private List<ObjectSnapshot<T>> snapshots(List<Entry> entries) {
        List<ObjectSnapshot<T>> snapshots = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            if (isReadable(entry)) {
                snapshots.add(new EntrySnapshot<>(entry, decoder));
            }
        }
        return snapshots;
    }

    /** Return one snapshot for all index functions of this type that are called for an entry in a row. */
    private ObjectSnapshot<T> shared(Entry entry) {
        EntrySnapshot<T> known = last;
        if (known != null && known.entry() == entry) {
            return known;
        }
        EntrySnapshot<T> snapshot = new EntrySnapshot<>(entry, decoder);
        last = snapshot;
        return snapshot;
    }

    /** The function of a user's index. An object for which it fails has no terms. Thread-safe. */
    private final class UserTerms implements TermFunction {

        private static final int MAX_TERMS = 100_000;

        private final String index;
        private final String owner;
        private final Function<ObjectSnapshot<T>, ? extends Iterable<String>> function;

        UserTerms(String index, Function<ObjectSnapshot<T>, ? extends Iterable<String>> function) {
            this.index = index;
            this.owner = "'" + index + "' of " + kind().resource();
            this.function = function;
        }

        @Override
        public Collection<String> terms(Entry entry) {
            if (bodies && !entry.hasBody()) {
                return List.of(); // until the body arrives
            }
            UserCall call = UserCall.enter(UserCall.Kind.INDEX, owner, entry);
            try {
                return bounded(function.apply(shared(entry)));
            } catch (Throwable e) { // an Error as well: one object that does not fit must not stop the others
                warn(entry, e);
                return List.of();
            } finally {
                call.exit();
                Thread.interrupted(); // caused by the function; must not end the request that is being read
            }
        }

        /** An iterable without an end would take the memory of the process. */
        private Set<String> bounded(Iterable<? extends @Nullable String> all) {
            Set<String> terms = new HashSet<>();
            int count = 0;
            for (String term : all) {
                count++;
                if (count > MAX_TERMS) {
                    throw new IllegalStateException("There are more than " + MAX_TERMS + " terms");
                }
                if (term != null) {
                    terms.add(term);
                }
            }
            return terms;
        }

        private void warn(Entry entry, Throwable failure) {
            String kind = kind().kind().kind();
            watched.log().log(
                    index + " " + LogLimiter.cause(failure),
                    occurrence -> LOG.warn(
                            "Index '{}' leaves out {} {}: {}{}",
                            index,
                            kind,
                            entry,
                            failure instanceof UndecodableObjectException
                                    ? Causes.message(failure)
                                    : failure.getClass().getName(),
                            occurrence.suffix()));
        }
    }
}
