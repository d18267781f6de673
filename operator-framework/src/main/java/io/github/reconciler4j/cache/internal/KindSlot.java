package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place of a kind in a cache, as long as the cache lives. The kind is watched while it has users: subscriptions, and
 * the program once it has read from it, until it releases it. When the last of them leaves, the watch ends and the store
 * is dropped; the next one begins both anew. Indexes outlive that.
 *
 * <p>{@code lock} guards all fields; the volatile ones may also be read without it. It is never held while waiting, and
 * no code of a user runs under it.
 */
final class KindSlot {

    private final KindInfo info;
    private final CacheContext context;
    private final NamespacePlan plan;
    private final KindMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();
    /** Held while namespaces are changed, so that this is done one after the other; taken before {@code lock}. */
    private final ReentrantLock changing = new ReentrantLock();

    private final Map<String, TermFunction> indexes = new LinkedHashMap<>();
    private volatile KindCache current;
    private volatile boolean dormant;
    private volatile boolean read;
    private int subscriptions;
    private boolean started;
    private volatile boolean closed;

    /**
     * Creates it.
     *
     * @param namespaceKind gives the place of the kind Namespace; asked for if namespaces are chosen by their labels
     */
    KindSlot(KindInfo info, CacheContext context, Supplier<KindSlot> namespaceKind) {
        this.info = info;
        this.context = context;
        this.plan = new NamespacePlan(info, context.options().of(info.kind()).namespaces(), namespaceKind);
        this.metrics = new KindMetrics(context.options().metrics(), info.resource());
        this.current = new KindCache(info, context, metrics, false);
        this.metrics.follow(() -> current);
    }

    LogLimiter log() {
        return context.log();
    }

    KindInfo info() {
        return info;
    }

    /** What is watched now; empty and without a watch if nobody uses the kind. */
    KindCache current() {
        return current;
    }

    /** Whether somebody uses the kind, or may be about to. */
    boolean isUsed() {
        return !dormant;
    }

    /** Begins to watch. Does nothing the second time. */
    void start() {
        lock.lock();
        try {
            if (!started && !closed) {
                started = true;
                begin();
            }
        } finally {
            lock.unlock();
        }
    }

    private void begin() {
        if (started && !dormant) {
            current.start();
            plan.follow(plan.watch(current));
        }
    }

    /** Whether this is watched no more although the cache is open. */
    boolean isDropped(KindCache kind) {
        return current != kind && !closed;
    }

    /** What to read from; from now on the program uses the kind. */
    KindCache reading() {
        KindCache known = current; // before the flags, so that what is dropped meanwhile is still read as it was
        if (read && !dormant) {
            return known;
        }
        lock.lock();
        try {
            read = true;
            wake();
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (closed) {
            throw new IllegalStateException("The cache is closed");
        }
        if (dormant) {
            dormant = false;
            begin();
        }
    }

    /** Begins a subscription; it is a user until it is closed. */
    <T extends HasMetadata> DefaultSubscription<T> subscribe(
            String name, ObjectDecoder<T> decoder, ObjectListener<T> listener) {
        lock.lock();
        try {
            wake();
            DefaultSubscription<T> subscription =
                    new DefaultSubscription<>(name, current, decoder, listener, context.log(), this::left);
            subscriptions++;
            current.feed().add(subscription);
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    <T extends HasMetadata> ObjectDecoder<T> decoder(Class<T> type) {
        return new ObjectDecoder<>(
                info,
                type,
                KubernetesJson::mapper,
                (entry, failure) -> current.undecodableObjects().add(entry, failure));
    }

    private void left() {
        lock.lock();
        try {
            subscriptions--;
        } finally {
            lock.unlock();
        }
        dropIfUnused();
    }

    /**
     * The program does not use the kind any more.
     *
     * @return whether nobody else does, so that its watch has ended
     */
    boolean release() {
        read = false;
        return dropIfUnused();
    }

    private boolean dropIfUnused() {
        KindCache ended;
        NamespaceFollower following;
        lock.lock();
        try {
            if (subscriptions > 0 || read || closed || dormant) {
                return dormant;
            }
            ended = current;
            following = plan.takeFollower();
            dormant = true;
            current = new KindCache(info, context, metrics, true);
            indexes.forEach((name, function) -> current.feed().addIndexIfAbsent(new TermIndex(name, function)));
        } finally {
            lock.unlock();
        }
        end(ended, following);
        return true;
    }

    private static void end(KindCache ended, @Nullable NamespaceFollower following) {
        ended.stop();
        if (following != null) {
            following.close();
        }
        ended.close();
    }

    /**
     * Adds an index that is kept from now on, whoever comes and leaves.
     *
     * @return false if there is one of that name
     */
    boolean addIndexIfAbsent(String name, TermFunction function) {
        KindCache now;
        lock.lock();
        try {
            if (indexes.putIfAbsent(name, function) != null) {
                return false;
            }
            now = current;
        } finally {
            lock.unlock();
        }
        now.feed().addIndexIfAbsent(new TermIndex(name, function)); // outside the lock: it runs code of the user
        return true;
    }

    /** Whether a namespace that is not watched is a mistake, and not just one that is not watched any more. */
    boolean areNamespacesFixed() {
        return plan.isFixed();
    }

    /** Watches other namespaces from now on. */
    void change(CachedNamespaces wanted) {
        changing.lock();
        try {
            stopFollowing();
            KindCache active;
            lock.lock();
            try {
                plan.change(wanted);
                active = started && !dormant && !closed ? current : null;
            } finally {
                lock.unlock();
            }
            if (active != null) {
                begin(active); // under no lock: it waits for reflectors, which may be in a transform
            }
        } finally {
            changing.unlock();
        }
    }

    private void begin(KindCache active) {
        NamespaceFollower follower = plan.watch(active);
        if (follower == null) {
            return;
        }
        boolean taken;
        lock.lock();
        try {
            taken = current == active && !closed;
            if (taken) {
                plan.follow(follower);
            }
        } finally {
            lock.unlock();
        }
        if (!taken) {
            follower.close();
        }
    }

    private void stopFollowing() {
        NamespaceFollower before;
        lock.lock();
        try {
            before = plan.takeFollower();
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.close(); // waits for a thread
        }
    }

    /** Makes watches end soon. */
    void stop() {
        lock.lock();
        try {
            closed = true;
            current.stop();
        } finally {
            lock.unlock();
        }
    }

    /** Ends everything and waits for the threads. */
    void close() {
        stop();
        stopFollowing();
        current.close();
        metrics.close();
    }
}
