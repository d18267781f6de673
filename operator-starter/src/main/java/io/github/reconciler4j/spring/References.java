package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.ReconcileOn;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names a kind that the reconciled objects refer to, such as the {@code Secret} of a {@code secretName}. The method of the
 * {@link Reconciler @Reconciler} bean returns the names that an object refers to:
 *
 * <!-- snippet: WatchingReconciler -->
 * <pre>{@code
 * @References(Secret.class)
 * String secretName(WebPage page) {
 *     return page.getMetadata().getAnnotations().get("example.com/secret");
 * }
 * }</pre>
 *
 * <p>A change of a named object reconciles the objects that name it. This needs nothing else: the annotation adds an index
 * of the names, a watch of the metadata of the named kind, and the look-up. The only parameter of the method is an object of
 * the reconciled kind, which it must not change. A name is {@code namespace/name}, or the name alone of an object in the same
 * namespace or without one. The method returns a {@code String} or an {@code ObjectKey}, or a collection, stream, array or
 * {@code Optional} of these. Null stands for no name.
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface References {

    /** The class of the named kind. */
    Class<? extends HasMetadata> value() default HasMetadata.class;

    /**
     * The name of a named kind without a class: {@code group/version/Kind}, or {@code version/Kind} in the core group. Use
     * either this or {@link #value}.
     */
    String kind() default "";

    /**
     * The name of the index, unique among those of the reconciled kind; lists select by it with the field selector
     * {@code index=name}. Defaults to the name of the method.
     */
    String index() default "";

    /**
     * Whether the API server may not serve the kind. The controller does not wait for it, follows it while it is served, and reconciles
     * all its objects when that starts or ends. Reads return nothing while the kind is not served. Its permissions are required
     * nevertheless.
     */
    boolean optional() default false;

    /** The updates that count. Defaults to all; takes at most one value. */
    ReconcileOn[] reconcileOn() default {};

    /**
     * Predicates that must all accept an event. They receive the header of the named object. A bean of the class is used if there is one; otherwise an
     * instance is created with dependency injection.
     */
    Class<? extends EventPredicate<?>>[] predicates() default {};
}
