package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.brake.Brake;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the children of objects equal to their {@link ObjectSet}. With the starter it is a bean.
 *
 * <!-- snippet: ShopReconciler -->
 * <pre>{@code
 * ObjectSetResult result = sets.reconcile(children(shop));
 * client.status()
 *         .edit(
 *                 shop,
 *                 changed ->
 *                         result.report(Conditions.of(changed.getStatus().getConditions(), changed)));
 * return result.toResult();
 * }</pre>
 *
 * <p>Thread-safe. Calls for one owner must not run at the same time, which a controller ensures.
 *
 * @since 0.1.0
 */
public final class ObjectSets {

    private static final int GONE_SIZE = 10_000;

    private final Supplier<SetKinds> kinds;
    private final ReadyTimes times;
    private final LruMap<SetDeletion.Gone, Boolean> gone = new LruMap<>(GONE_SIZE);

    ObjectSets(Supplier<SetKinds> kinds, TimeSource time) {
        this.kinds = kinds;
        this.times = new ReadyTimes(time);
    }

    /**
     * Create it for the controllers of a manager. It works in the cluster of the request that the calling thread reconciles, and
     * refuses sets with kinds that the controller does not watch. The manager has a {@link Brake} then.
     */
    public static ObjectSets create(Manager manager) {
        Brake.of(manager);
        return new ObjectSets(ControllerKinds.of(manager), manager.options().timeSource());
    }

    /**
     * Create it for a client alone, for tests and for programs without controllers. It does not know what is watched, and so
     * refuses nothing.
     */
    public static ObjectSets create(Client client) {
        SetKinds unwatched = new SetKinds.Unwatched(client);
        return new ObjectSets(() -> unwatched, TimeSource.system());
    }

    /**
     * Apply the objects of a set, step by step, and delete what the owner has besides. A failure of an object concerns that object
     * and later steps only, and is in the result. If the owner is being deleted or gone, nothing happens.
     *
     * @throws IllegalStateException if the controller does not watch a kind of the set; the message says what to add
     * @throws IllegalArgumentException if an object has no name or is in the set twice
     * @throws io.github.reconciler4j.client.error.ApiException if the owner cannot be written, or the thread was interrupted
     */
    public ObjectSetResult reconcile(ObjectSet set) {
        return new SetRun(set, kinds.get(), times).run();
    }

    /**
     * Delete the objects of a set in reverse order: first what the set does not contain, then the last step, and each step when
     * the one after it is gone. For a {@code Cleaner}, which is called until
     * {@link ObjectSetResult#toCleanupResult} says that nothing is left. Objects with {@code reconciler4j.io/keep} are left out;
     * Kubernetes still deletes them if they refer to the owner.
     *
     * @throws IllegalStateException as {@link #reconcile} does
     */
    public ObjectSetResult delete(ObjectSet set) {
        return new SetDeletion(set, kinds.get(), gone).run();
    }

    /**
     * Return a watch of children that cannot refer to their owner, because they are in another namespace or have none. A change
     * enqueues the owner that their annotation names. Looks at headers only.
     *
     * @param owner the class of the owners
     */
    public static Watch<Request> watch(Kind<?> child, Class<? extends HasMetadata> owner) {
        return Watch.kind(child.metadata())
                .map(header -> ownerOf(header, owner).map(List::of).orElse(List.of()));
    }

    /**
     * Return the request for the owner of a child that cannot refer to it, for the method of a watch; empty if the owner has
     * another class, or the child belongs to no set.
     *
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the class does not name its kind
     */
    public static Optional<Request> ownerOf(ObjectHeader child, Class<? extends HasMetadata> owner) {
        String text = child.annotations().getOrDefault(Ownership.OWNER, "");
        String prefix = Scheme.describe(owner).resource() + "/";
        if (!text.startsWith(prefix)) {
            return Optional.empty();
        }
        String[] key = text.substring(prefix.length()).split("/", -1);
        if (key.length > 2 || key[key.length - 1].isBlank()) { // edited by hand
            return Optional.empty();
        }
        return Optional.of(new Request(key.length == 2 ? key[0] : "", key[key.length - 1]));
    }
}
