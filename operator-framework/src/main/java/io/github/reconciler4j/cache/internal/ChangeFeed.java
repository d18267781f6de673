package io.github.reconciler4j.cache.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way of changes into the store of a kind and into the queues of its subscriptions.
 *
 * <p>{@code changing} makes both one step, so that a subscription that begins in between neither misses nor repeats
 * anything; it guards {@code subscriptions} and {@code closed} against changes. Inside it the locks of
 * {@link ObjectStore} and {@link SubscriptionQueue} are taken. Reading takes it never, and no code of a user runs under
 * it.
 */
final class ChangeFeed {

    private final ObjectStore store;
    private final ReentrantLock changing = new ReentrantLock();
    private final List<DefaultSubscription<?>> subscriptions = new CopyOnWriteArrayList<>();
    private boolean complete;
    private boolean closed;

    ChangeFeed(ObjectStore store) {
        this.store = store;
    }

    /** How long the oldest change has been waiting in any subscription, in seconds; 0 if none waits. */
    double lagSeconds() {
        double longest = 0;
        for (DefaultSubscription<?> subscription : subscriptions) {
            longest = Math.max(longest, subscription.queue().lagSeconds());
        }
        return longest;
    }

    /** The subscriptions there are. */
    List<DefaultSubscription<?>> subscriptions() {
        return subscriptions;
    }

    /** Puts changes into the store, all at once for its readers, and tells the subscriptions. */
    void write(List<Change> changes) {
        boolean written = changes.isEmpty();
        while (!written) {
            store.prepare(changes);
            changing.lock();
            try {
                written = store.isPrepared(changes); // else an index came in between
                if (written) {
                    store.apply(changes);
                    offer(changes);
                }
            } finally {
                changing.unlock();
            }
        }
    }

    private void offer(List<Change> changes) {
        for (DefaultSubscription<?> subscription : subscriptions) {
            for (Change change : changes) {
                subscription.queue().offer(change);
            }
        }
    }

    /** Notes that everything there is at the beginning has been written. */
    void initialWritten() {
        changing.lock();
        try {
            complete = true;
            subscriptions.forEach(subscription -> subscription.queue().initialOffered());
        } finally {
            changing.unlock();
        }
    }

    /** Tells every subscription of every object again. */
    void resync() {
        changing.lock();
        try {
            for (Entry entry : store.list("")) {
                Change change = Change.resync(entry);
                subscriptions.forEach(subscription -> subscription.queue().offer(change));
            }
        } finally {
            changing.unlock();
        }
    }

    /** Begins a subscription with the present state. */
    void add(DefaultSubscription<?> subscription) {
        changing.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The cache is closed");
            }
            for (Entry entry : store.list("")) {
                subscription.queue().offer(Change.created(entry, true));
            }
            if (complete) {
                subscription.queue().initialOffered();
            }
            subscriptions.add(subscription);
            subscription.start();
        } finally {
            changing.unlock();
        }
    }

    void remove(DefaultSubscription<?> subscription) {
        changing.lock();
        try {
            subscriptions.remove(subscription);
        } finally {
            changing.unlock();
        }
    }

    /**
     * Adds an index over what is there and what comes; it can be used once this returns. Runs code of the user.
     *
     * @return false if there is an index of that name already
     */
    boolean addIndexIfAbsent(TermIndex index) {
        List<Entry> present;
        changing.lock();
        try {
            if (store.index(index.name()) != null) {
                return false;
            }
            store.register(index);
            present = store.list("");
        } finally {
            changing.unlock();
        }
        List<String[]> terms = present.stream().map(index::terms).toList();
        store.complete(index, present, terms);
        return true;
    }

    /** Ends all subscriptions and waits for their threads. */
    void close() {
        changing.lock();
        try {
            closed = true;
        } finally {
            changing.unlock();
        }
        subscriptions.forEach(DefaultSubscription::close);
    }
}
