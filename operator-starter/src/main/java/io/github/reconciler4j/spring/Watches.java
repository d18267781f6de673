package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.ReconcileOn;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Watches another kind for the controller of a {@link Reconciler @Reconciler} bean.
 *
 * <p>On a method of the bean, the method returns the requests that a changed object leads to:
 *
 * <pre>{@code
 * @Watches(Team.class)
 * List<Request> appsOf(Team team) { ... }
 *
 * @Watches(Secret.class)
 * List<Request> appsUsing(ObjectHeader secret) { ... }
 * }</pre>
 *
 * <p>The type of the only parameter decides what is watched: the class of the kind, or its metadata if the type is
 * {@code ObjectHeader}. After an update the method is called for the object before and after it. It returns a
 * {@code Request} or an {@code ObjectKey}, or a collection, stream, array or {@code Optional} of these; null stands for no
 * request. A reconciler with its own type of request returns that type.
 *
 * <p>On the class, or on the {@code @Bean} method of the reconciler, {@link #index} names the {@link Index @Index} by which
 * the reconciled objects refer to objects of the watched kind. No method is needed, and only metadata is watched:
 *
 * <pre><code class="language-java">
 * &#064;Reconciler
 * &#064;Watches(value = Secret.class, index = "secretName")
 * class WebAppReconciler implements ObjectReconciler&lt;WebApp&gt; {
 *
 *     &#064;Index("secretName")
 *     String secretOf(WebApp app) {
 *         return app.getSpec().getSecretName();
 *     }
 * }
 * </code></pre>
 *
 * @since 0.1.0
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Watches.All.class)
public @interface Watches {

    /** The watched kind. Defaults to the type of the parameter. */
    Class<? extends HasMetadata> value() default HasMetadata.class;

    /** The API version of a watched kind without a class, such as {@code example.com/v1}. */
    String apiVersion() default "";

    /** The name of a watched kind without a class. */
    String kind() default "";

    /** The index of the reconciled kind whose terms refer to objects of the watched kind. For use without a method. */
    String index() default "";

    /** The updates that count. Defaults to all; takes at most one value. */
    ReconcileOn[] reconcileOn() default {};

    /**
     * Predicates that must all accept an event. A bean of the class is used if there is one; otherwise an instance is
     * created with dependency injection.
     */
    Class<? extends EventPredicate<?>>[] predicates() default {};

    /**
     * Several watches of one class or method.
     *
     * @since 0.1.0
     */
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @interface All {

        /** The watches. */
        Watches[] value();
    }
}
