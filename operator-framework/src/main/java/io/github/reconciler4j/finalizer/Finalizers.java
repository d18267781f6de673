package io.github.reconciler4j.finalizer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The finalizers that one controller puts on its objects, each with a {@link Cleaner}. A controller with a single cleaner
 * does not need this class: see {@code ControllerBuilder.cleaner}. With several, call {@link #reconcile} first in the
 * reconciler:
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * Finalizers<Greeting> finalizers = Finalizers.<Greeting>create(manager.client())
 *         .register("example.com/room", (greeting, context) -> free(greeting, rooms));
 * ControllerBuilder.of(Greeting.class)
 *         .reconciler((greeting, context) -> {
 *             Finalizers.Outcome<Greeting> outcome = finalizers.reconcile(greeting, context);
 *             return outcome.isBeingDeleted() ? outcome.result() : Result.done();
 *         })
 *         .addTo(manager);
 * }</pre>
 *
 * <p>Cleaners run in the order of their registration. Thread-safe.
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
public final class Finalizers<T extends HasMetadata> {

    private final FinalizerWriter writer;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Cleaner<? super T>> cleaners = new LinkedHashMap<>();

    private Finalizers(FinalizerWriter writer) {
        this.writer = writer;
    }

    /**
     * The outcome of {@link Finalizers#reconcile}.
     *
     * @param object the object as it is now
     * @param changed whether finalizers were added or removed
     * @param isBeingDeleted whether the object is marked for deletion or gone, so that there is nothing to reconcile
     * @param cleanup whether all cleaners are done, and if not, when to call them again
     * @param <T> the class of the object
     * @since 0.1.0
     */
    public record Outcome<T>(T object, boolean changed, boolean isBeingDeleted, CleanupResult cleanup) {

        /** Return what the reconciler of an object that is being deleted has to return. */
        public Result result() {
            return cleanup.delay().map(Result::requeueAfter).orElseGet(Result::done);
        }
    }

    /** Create an empty set of finalizers that are written with this client. */
    public static <T extends HasMetadata> Finalizers<T> create(Client client) {
        return new Finalizers<>(new FinalizerWriter(client));
    }

    /**
     * Register a finalizer.
     *
     * @param name a qualified name in a domain of the operator, for instance {@code apps.example.io/bucket}
     * @param cleaner cleans up before the finalizer is removed
     * @return these finalizers
     * @throws IllegalArgumentException if the name has no domain or is registered
     */
    public Finalizers<T> register(String name, Cleaner<? super T> cleaner) {
        Objects.requireNonNull(cleaner, "'cleaner' must not be null");
        if (name.indexOf('/') < 1 || name.endsWith("/")) {
            throw new IllegalArgumentException(
                    "'name' must be a domain, a slash and a name (apps.example.io/bucket), was '" + name + "'");
        }
        lock.lock();
        try {
            if (cleaners.putIfAbsent(name, cleaner) != null) {
                throw new IllegalArgumentException("The finalizer '" + name + "' is already registered");
            }
        } finally {
            lock.unlock();
        }
        return this;
    }

    private Map<String, Cleaner<? super T>> cleaners() {
        lock.lock();
        try {
            return new LinkedHashMap<>(cleaners);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Add the missing finalizers to an object, or, if it is marked for deletion, call the cleaners of the finalizers that
     * it has and remove the finalizers of those that are done. Sends at most one patch, which changes nothing but the
     * finalizers; a conflict is retried with the live object.
     *
     * @param object the object as the reconciler received it
     * @param context passed to the cleaners
     * @throws FinalizationException if cleaners failed; their finalizers stay, and those of the others have been removed unless
     *     the message says that the object could not be written
     * @throws io.github.reconciler4j.client.error.ApiException if the object cannot be written
     */
    public Outcome<T> reconcile(T object, ReconcileContext context) throws FinalizationException {
        if (object.getMetadata().getDeletionTimestamp() == null) {
            return add(object);
        }
        return cleanUp(object, context);
    }

    /**
     * Remove the registered finalizers from an object without a call of their cleaners, because the controller does not
     * select it any more. Sends one patch, for exactly this version of the object.
     *
     * @return whether the object exists
     * @throws io.github.reconciler4j.client.error.ConflictException if the object has changed
     * @throws io.github.reconciler4j.client.error.ApiException if the object cannot be written for another reason
     */
    public boolean release(Kind<?> kind, ObjectHeader header) {
        List<String> others = new ArrayList<>(header.finalizers());
        others.removeAll(cleaners().keySet());
        return others.size() == header.finalizers().size() || writer.write(kind, header, others);
    }

    private Outcome<T> add(T object) {
        Collection<String> names = cleaners().keySet();
        if (FinalizerNames.of(object).containsAll(names)) {
            return new Outcome<>(object, false, false, CleanupResult.done());
        }
        Optional<T> written = writer.add(object, names);
        if (written.isEmpty()) {
            return new Outcome<>(object, false, true, CleanupResult.done());
        }
        T now = written.get();
        boolean deleted = now.getMetadata().getDeletionTimestamp() != null;
        return new Outcome<>(now, !deleted, deleted, CleanupResult.done());
    }

    private Outcome<T> cleanUp(T object, ReconcileContext context) throws FinalizationException {
        List<String> done = new ArrayList<>();
        Map<String, Throwable> failed = new LinkedHashMap<>();
        CleanupResult all = CleanupResult.done();
        for (Map.Entry<String, Cleaner<? super T>> entry : cleaners().entrySet()) {
            if (!FinalizerNames.has(object, entry.getKey())) {
                continue;
            }
            try {
                CleanupResult result = Objects.requireNonNull(
                        entry.getValue().cleanup(object, context),
                        () -> "The cleaner of finalizer '" + entry.getKey()
                                + "' returned null; return CleanupResult.done()");
                all = both(all, result);
                if (result.isDone()) {
                    done.add(entry.getKey());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed.put(entry.getKey(), e);
                break;
            } catch (Throwable e) {
                failed.put(entry.getKey(), e);
            }
        }
        return finish(object, done, failed, all);
    }

    private Outcome<T> finish(T object, List<String> done, Map<String, Throwable> failed, CleanupResult all)
            throws FinalizationException {
        boolean changed = !done.isEmpty() && !Thread.currentThread().isInterrupted();
        T now = object;
        List<Throwable> causes = new ArrayList<>(failed.values());
        String failures = failed.entrySet().stream()
                .map(failure -> "'" + failure.getKey() + "' (" + failure.getValue() + ")")
                .collect(Collectors.joining(", "));
        try {
            now = changed ? writer.remove(object, done).orElse(object) : object;
        } catch (Throwable e) {
            if (failed.isEmpty()) {
                throw e;
            }
            changed = false;
            causes.add(e);
            failures += "; '" + String.join("', '", done) + "' could not be removed (" + e + ")";
        }
        if (failed.isEmpty()) {
            return new Outcome<>(now, changed, true, all);
        }
        // What a terminal exception is the cause of is not retried, but the others can succeed.
        causes.sort(Comparator.comparing(cause -> Causes.contains(cause, TerminalException.class)));
        throw new FinalizationException(
                "The cleanup of " + FinalizerWriter.describe(object) + " failed for " + failures,
                causes,
                new Outcome<>(now, changed, true, both(all, CleanupResult.notYet())));
    }

    /** Both are done, or the object waits for the one that is not, for the shorter of two delays. */
    private static CleanupResult both(CleanupResult one, CleanupResult other) {
        if (one.isDone() || other.isDone()) {
            return one.isDone() ? other : one;
        }
        Optional<Duration> shortest = one.delay()
                .filter(delay ->
                        other.delay().filter(it -> it.compareTo(delay) < 0).isEmpty());
        return shortest.or(other::delay).map(CleanupResult::notYet).orElseGet(CleanupResult::notYet);
    }

    /**
     * Writes the finalizers of an object and nothing else. A merge patch replaces the whole list, which can hold finalizers
     * of others, so the patch requires the uid and the resourceVersion that it was computed from. After a conflict it is
     * computed again from the live object.
     */
    static final class FinalizerWriter {

        private static final int MAX_ATTEMPTS = 5;

        private final Client client;

        FinalizerWriter(Client client) {
            this.client = client;
        }

        /**
         * Add finalizers, except to an object that is marked for deletion.
         *
         * @return the object as it is now, empty if it is gone
         */
        <T extends HasMetadata> Optional<T> add(T object, Collection<String> names) {
            return write(object, list -> list.addAll(names), true);
        }

        /**
         * Remove finalizers.
         *
         * @return the object as it is now, empty if it is gone
         */
        <T extends HasMetadata> Optional<T> remove(T object, Collection<String> names) {
            return write(object, list -> list.removeAll(names), false);
        }

        private <T extends HasMetadata> Optional<T> write(
                T object, Consumer<Set<String>> change, boolean unlessDeleted) {
            T current = object;
            for (int attempts = 1; ; attempts++) {
                Set<String> names = new LinkedHashSet<>(FinalizerNames.of(current));
                boolean deleted = current.getMetadata().getDeletionTimestamp() != null;
                change.accept(names);
                if ((deleted && unlessDeleted) || List.copyOf(names).equals(FinalizerNames.of(current))) {
                    return Optional.of(current);
                }
                try {
                    return Optional.of(client.patch(current, patch(current.getMetadata(), List.copyOf(names))));
                } catch (NotFoundException e) {
                    return Optional.empty();
                } catch (ConflictException e) {
                    if (attempts == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
                Optional<T> live = live(current);
                if (live.isEmpty()) {
                    return Optional.empty();
                }
                current = live.get();
            }
        }

        /** Set the finalizers of one version of an object; return false if it is gone. */
        boolean write(Kind<?> kind, ObjectHeader header, List<String> names) {
            GenericKubernetesResource object = new GenericKubernetesResource();
            object.setApiVersion(kind.apiVersion());
            object.setKind(kind.kind());
            ObjectMeta metadata = new ObjectMeta();
            metadata.setNamespace(
                    header.key().namespace().isEmpty() ? null : header.key().namespace());
            metadata.setName(header.key().name());
            metadata.setUid(header.uid());
            metadata.setResourceVersion(header.resourceVersion());
            object.setMetadata(metadata);
            try {
                client.patch(object, patch(metadata, names));
                return true;
            } catch (NotFoundException e) {
                return false;
            }
        }

        private static ObjectPatch patch(ObjectMeta metadata, List<String> names) {
            return ObjectPatch.merge(Map.of(
                    "metadata",
                    Map.of(
                            "uid", Objects.requireNonNullElse(metadata.getUid(), ""),
                            "resourceVersion", Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
                            "finalizers", names)));
        }

        /** Return the live object; empty if another object has taken the name. */
        private <T extends HasMetadata> Optional<T> live(T object) {
            Optional<? extends HasMetadata> found = object instanceof GenericKubernetesResource
                    ? client.live().get(Kind.of(object.getApiVersion(), object.getKind()), key(object))
                    : client.live().get(object.getClass(), key(object));
            @SuppressWarnings("unchecked") // the read was for this class or for the generic form
            Optional<T> typed = (Optional<T>) found;
            return typed.filter(live -> Objects.equals(
                    live.getMetadata().getUid(), object.getMetadata().getUid()));
        }

        private static ObjectKey key(HasMetadata object) {
            return ObjectKey.of(
                    Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
                    object.getMetadata().getName());
        }

        static String describe(HasMetadata object) {
            return object.getKind() + " " + key(object);
        }
    }
}
