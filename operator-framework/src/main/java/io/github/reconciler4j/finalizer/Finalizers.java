package io.github.reconciler4j.finalizer;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The finalizers one controller puts on its objects. Call {@link #reconcile} first thing in a reconciler:
 *
 * <pre>{@code
 * Finalizers.Outcome<WebApp> outcome = finalizers.reconcile(app);
 * if (outcome.isBeingDeleted()) {
 *     return Result.done();
 * }
 * app = outcome.object();
 * }</pre>
 *
 * <p>Finalizers run in the order in which they were registered. Safe for use by many threads.
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
public final class Finalizers<T extends HasMetadata> {

    private final FinalizerWriter writer;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final Map<String, Finalizer<? super T>> registered = new LinkedHashMap<>();

    private Finalizers(FinalizerWriter writer) {
        this.writer = writer;
    }

    /**
     * What became of an object.
     *
     * @param object the object as it is now
     * @param changed whether finalizers were added or removed
     * @param isBeingDeleted whether it is being deleted, or gone, so that there is nothing more to do for it
     * @since 0.1.0
     */
    public record Outcome<T>(T object, boolean changed, boolean isBeingDeleted) {}

    /** Finalizers that are written with this client. */
    public static <T extends HasMetadata> Finalizers<T> create(Client client) {
        return new Finalizers<>(new FinalizerWriter(client));
    }

    /**
     * Adds a finalizer.
     *
     * @param name a qualified name of your own, for instance {@code apps.example.io/bucket}
     * @return these finalizers
     * @throws IllegalArgumentException if there is one of that name already, or the name has no domain
     */
    public Finalizers<T> register(String name, Finalizer<? super T> finalizer) {
        if (name.indexOf('/') < 1 || name.endsWith("/")) {
            throw new IllegalArgumentException(
                    "'name' must be a domain, a slash and a name (apps.example.io/bucket), was '" + name + "'");
        }
        lock.lock();
        try {
            if (registered.putIfAbsent(name, finalizer) != null) {
                throw new IllegalArgumentException("There is a finalizer '" + name + "' already");
            }
        } finally {
            lock.unlock();
        }
        return this;
    }

    private Map<String, Finalizer<? super T>> registered() {
        lock.lock();
        try {
            return new LinkedHashMap<>(registered);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts the finalizers on an object that lives; for one that is being deleted, runs those it has and takes off those
     * that succeeded. One write at most, of nothing but the finalizers.
     *
     * @throws FinalizationException if finalizers failed; they stay on the object, the others have been taken off
     * @throws io.github.reconciler4j.client.error.ApiException if the object cannot be written
     */
    public Outcome<T> reconcile(T object) throws FinalizationException {
        if (object.getMetadata().getDeletionTimestamp() == null) {
            return add(object);
        }
        return cleanUp(object);
    }

    private Outcome<T> add(T object) {
        Collection<String> names = registered().keySet();
        if (FinalizerNames.of(object).containsAll(names)) {
            return new Outcome<>(object, false, false);
        }
        Optional<T> written = writer.add(object, names);
        return written.map(now -> new Outcome<>(now, true, now.getMetadata().getDeletionTimestamp() != null))
                .orElseGet(() -> new Outcome<>(object, false, true));
    }

    private Outcome<T> cleanUp(T object) throws FinalizationException {
        List<String> done = new ArrayList<>();
        Map<String, Exception> failed = new LinkedHashMap<>();
        for (Map.Entry<String, Finalizer<? super T>> entry : registered().entrySet()) {
            if (FinalizerNames.has(object, entry.getKey())) {
                try {
                    entry.getValue().cleanUp(object);
                    done.add(entry.getKey());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    failed.put(entry.getKey(), e);
                    break;
                } catch (Exception e) {
                    failed.put(entry.getKey(), e);
                }
            }
        }
        boolean changed = !done.isEmpty() && !Thread.currentThread().isInterrupted();
        T now = changed ? writer.remove(object, done).orElse(object) : object;
        if (!failed.isEmpty()) {
            throw new FinalizationException(
                    "Finalizers " + failed.keySet() + " of " + FinalizerWriter.describe(object) + " failed",
                    List.copyOf(failed.values()));
        }
        return new Outcome<>(now, changed, true);
    }
}
