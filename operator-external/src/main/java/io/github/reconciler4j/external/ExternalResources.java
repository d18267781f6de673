package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.support.TimeSource;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Keeps the external resource of each owner as its {@link ExternalResource} says. A controller has one for each sort of resource, for
 * instance in a field of its reconciler.
 *
 * <!-- snippet: StoredBucketReconciler -->
 * <pre>{@code
 * ExternalResult<StoredBucket> result = buckets.reconcile(bucket, context);
 * if (result.state() != State.RELEASED) {
 *     context.client()
 *             .status()
 *             .edit(
 *                     bucket,
 *                     changed -> result.report(
 *                             Conditions.of(changed.getStatus().getConditions(), changed)));
 * }
 * return result.toResult();
 * }</pre>
 *
 * <p>The reconciler gets owners that are being deleted, too, and passes them on in the same way. If it has a cleaner for something
 * else, the cleaner also calls {@link #reconcile} and returns {@link ExternalResult#toCleanupResult}.
 *
 * <p>Each owner has an annotation and a finalizer {@code reconciler4j.io/external-NAME}. Two controllers with the same name share the
 * resource of an owner; with different names, each has its own.
 *
 * <p>Thread-safe. Calls for one owner must not run at the same time, which a controller ensures.
 *
 * @param <T> the class of the owners
 * @param <I> what the provider says about a resource
 * @since 0.1.0
 */
public final class ExternalResources<T extends HasMetadata, I> {

    private static final String PREFIX = "reconciler4j.io/external-";
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,18}[a-z0-9])?");

    private final String name;
    private final ExternalResource<T, I> resource;
    private final ExternalOptions options;
    private final Sightings sightings;
    private final ExternalReports reports;

    ExternalResources(String name, ExternalResource<T, I> resource, ExternalOptions options, TimeSource time) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'name' must be at most 20 characters such as bucket or read-replica, was '" + name + "'");
        }
        this.name = name;
        this.resource = Objects.requireNonNull(resource, "'resource' must not be null");
        this.options = options;
        this.sightings = new Sightings(time, options);
        this.reports = new ExternalReports(name, options);
    }

    /**
     * Create it with the default options; see {@link #create(String, ExternalResource, ExternalOptions)}.
     *
     * @throws IllegalArgumentException if the name is not valid
     */
    public static <T extends HasMetadata, I> ExternalResources<T, I> create(
            String name, ExternalResource<T, I> resource) {
        return create(name, resource, ExternalOptions.defaults());
    }

    /**
     * Create it for one sort of resource.
     *
     * @param name the name of the sort, such as {@code bucket}. It is part of keys, annotations and finalizers, so it must never change
     * @throws IllegalArgumentException if the name has other characters than {@code a-z}, {@code 0-9} and {@code -}, or more than 20
     */
    public static <T extends HasMetadata, I> ExternalResources<T, I> create(
            String name, ExternalResource<T, I> resource, ExternalOptions options) {
        return new ExternalResources<>(name, resource, options, TimeSource.system());
    }

    /**
     * Observe the resource of an owner, and create, update or delete it if necessary. Makes at most one call that changes something at
     * the provider. Writes to the owner before a creation and before a deletion, and when the id becomes known; nothing at rest.
     * With a client whose writes {@linkplain Client#isDryRun have no effect}, it only observes.
     *
     * @param owner the owner as the reconciler received it, or as the last write to it returned it
     * @throws io.github.reconciler4j.client.error.ConflictException if the owner has changed; the retry has the new one
     * @throws io.github.reconciler4j.client.error.ApiException if the owner cannot be written
     * @throws IllegalArgumentException if the variant is not valid
     * @throws Exception what the resource throws
     */
    public ExternalResult<I> reconcile(T owner, ReconcileContext context) throws Exception {
        return reconcile(owner, context.client());
    }

    /**
     * Work as {@link #reconcile(HasMetadata, ReconcileContext)}, with a client of your own. For tests, and for reconcilers of other
     * requests.
     *
     * @throws Exception as the other method does
     */
    public ExternalResult<I> reconcile(T owner, Client client) throws Exception {
        return new ExternalRun<>(
                        name,
                        resource,
                        reports,
                        options,
                        sightings,
                        new OwnerWriter<>(client, PREFIX + name),
                        PREFIX + name,
                        owner)
                .run();
    }

    @Override
    public String toString() {
        return "ExternalResources[" + name + "]";
    }
}
