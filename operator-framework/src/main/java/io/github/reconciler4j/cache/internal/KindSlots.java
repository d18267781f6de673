package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheNotStartedException;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kinds of one cache, and whether it was started. Safe for use by many threads; takes no locks. */
final class KindSlots {

    private final CacheContext context;
    private final Supplier<KindInfo> namespaceKind;
    private final Map<GroupVersionKind, KindSlot> slots = new ConcurrentHashMap<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

    private enum Phase {
        NEW,
        STARTED,
        CLOSED
    }

    /**
     * Creates it.
     *
     * @param namespaceKind the kind Namespace; asked for if namespaces are chosen by their labels
     */
    KindSlots(CacheContext context, Supplier<KindInfo> namespaceKind) {
        this.context = context;
        this.namespaceKind = namespaceKind;
    }

    /** The place of a kind, made on first use. */
    KindSlot slot(KindInfo info) {
        KindSlot known = slots.get(info.kind());
        return known != null ? known : add(info);
    }

    private KindSlot add(KindInfo info) {
        checkNamespaces(info);
        checkOpen();
        KindSlot slot = slots.computeIfAbsent(
                info.kind(), kind -> new KindSlot(info, context, () -> slot(namespaceKind.get())));
        Phase now = phase.get(); // after it was added, so that either this or start and close sees it
        if (now == Phase.STARTED) {
            slot.start();
        } else if (now == Phase.CLOSED) {
            slot.close();
            checkOpen();
        }
        return slot;
    }

    private void checkNamespaces(KindInfo info) {
        boolean own = context.options().hasOwnNamespaces(info.kind());
        CachedNamespaces namespaces = context.options().of(info.kind()).namespaces();
        if (own && !info.namespaced() && !namespaces.equals(CachedNamespaces.all())) {
            throw new IllegalArgumentException(info.resource()
                    + " is cluster-scoped, so it cannot be cached in some namespaces only: leave 'namespaces' out of"
                    + " its KindCacheOptions");
        }
    }

    private void checkOpen() {
        if (phase.get() == Phase.CLOSED) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    /** The place of a kind that was asked for, null if it never was. */
    @Nullable
    KindSlot known(GroupVersionKind kind) {
        return slots.get(kind);
    }

    /** The kinds that have users, or are about to. */
    List<KindSlot> used() {
        return slots.values().stream().filter(KindSlot::isUsed).toList();
    }

    void start() {
        if (!phase.compareAndSet(Phase.NEW, Phase.STARTED)) {
            throw new IllegalStateException(
                    phase.get() == Phase.STARTED ? "The cache was started already" : "The cache is closed");
        }
        slots.values().forEach(KindSlot::start);
    }

    /** Fails unless what is in the cache means something. */
    void checkReadable(KindInfo info) {
        Phase now = phase.get();
        if (now == Phase.CLOSED) {
            throw new IllegalStateException("The cache is closed, " + info.resource() + " cannot be read");
        }
        if (now == Phase.NEW) {
            throw new CacheNotStartedException("The cache was not started, " + info.resource()
                    + " cannot be read yet: call Cache.start (or Manager.start) before, or read live");
        }
    }

    boolean isClosed() {
        return phase.get() == Phase.CLOSED;
    }

    void close() {
        phase.set(Phase.CLOSED);
        slots.values().forEach(KindSlot::stop);
        slots.values().forEach(KindSlot::close);
    }
}
