package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.OwnWrites;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.ReconcileOn;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Watches another kind for the controller of a {@link Reconciler @Reconciler} bean. The method returns the requests that a
 * changed object leads to:
 *
 * <!-- snippet: WatchingReconciler -->
 * <pre>{@code
 * @Watches(value = Namespace.class, predicates = LabelsChanged.class)
 * Stream<ObjectKey> pagesIn(ObjectHeader namespace) {
 *     return cache.informer(WebPage.class).list(namespace.key().name()).stream()
 *             .map(page -> page.key());
 * }
 * }</pre>
 *
 * <p>The type of the only parameter decides what is watched: the class of the kind, or its metadata if the type is
 * {@code ObjectHeader}. After an update the method is called for the object before and after it. It returns a
 * {@code Request} or an {@code ObjectKey}, or a collection, stream, array or {@code Optional} of these; null stands for no
 * request. A reconciler with its own type of request returns that type.
 *
 * <p>If the reconciled objects name the objects of the other kind, use {@link References @References} instead.
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Watches.All.class)
public @interface Watches {

    /** The class of the watched kind. Defaults to the type of the parameter. */
    Class<? extends HasMetadata> value() default HasMetadata.class;

    /**
     * The name of a watched kind without a class: {@code group/version/Kind}, or {@code version/Kind} in the core group. Use
     * either this or {@link #value}.
     */
    String kind() default "";

    /**
     * Whether the API server may not serve the kind. The controller does not wait for it, follows it while it is served, and reconciles
     * all its objects when that starts or ends. Reads return nothing while the kind is not served. Its permissions are required
     * nevertheless.
     */
    boolean optional() default false;

    /** Whether updates are delivered that the reconciliation of the same request wrote. */
    OwnWrites ownWrites() default OwnWrites.DELIVER;

    /** The updates that count. Defaults to all; takes at most one value. */
    ReconcileOn[] reconcileOn() default {};

    /**
     * Fields of which an update must change at least one, such as {@code spec.tls} or {@code metadata.annotations['a.b/c']}. Defaults
     * to any change. The objects before and after the update are decoded for it. The method takes the object then, not its {@code ObjectHeader}.
     */
    String[] onChangeOf() default {};

    /**
     * Predicates that must all accept an event. They receive what the method does, an object or its header. A bean of the class is used if there is one; otherwise an instance is
     * created with dependency injection.
     */
    Class<? extends EventPredicate<?>>[] predicates() default {};

    /**
     * Several watches of one method.
     *
     * @since 0.1.0
     */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @interface All {

        /** The watches. */
        Watches[] value();
    }
}
