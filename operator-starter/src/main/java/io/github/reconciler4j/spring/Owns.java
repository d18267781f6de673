package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.builder.OwnWrites;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.ReconcileOn;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names a kind whose objects the objects of a {@link Reconciler @Reconciler} bean own, with details that
 * {@link Reconciler#owns} cannot hold. A change of such an object reconciles its owners. Use it on the class, or on the
 * {@code @Bean} method of the reconciler.
 *
 * <!-- snippet: IndexingReconciler -->
 * <pre>{@code
 * @Owns(value = ConfigMap.class, reconcileOn = ReconcileOn.GENERATION)
 * }</pre>
 *
 * @since 0.1.0
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Owns.All.class)
public @interface Owns {

    /** The class of the owned kind. */
    Class<? extends HasMetadata> value() default HasMetadata.class;

    /**
     * The name of an owned kind without a class: {@code group/version/Kind}, or {@code version/Kind} in the core group. Use
     * either this or {@link #value}.
     */
    String kind() default "";

    /** The owners that a change reconciles. */
    OwnerMatch match() default OwnerMatch.CONTROLLER;

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
     * to any change. The objects before and after the update are decoded for it.
     */
    String[] onChangeOf() default {};

    /**
     * Predicates that must all accept an event. They receive the owned object. A bean of the class is used if there is one; otherwise an
     * instance is created with dependency injection.
     */
    Class<? extends EventPredicate<?>>[] predicates() default {};

    /**
     * Several owned kinds.
     *
     * @since 0.1.0
     */
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @interface All {

        /** The owned kinds. */
        Owns[] value();
    }
}
