package io.github.reconciler4j.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.stereotype.Component;

/**
 * Makes a controller of a bean. On a class that implements {@code ObjectReconciler<T>} or
 * {@code RequestReconciler<Request>}, or on a {@code @Bean} method that returns one; the class becomes a bean by it. The
 * kind that is reconciled is read from the type argument, so for most beans the annotation needs nothing but the owned
 * kinds.
 *
 * <p>Settings are looked for in this order: {@code reconciler4j.controllers.<name>.*}, this annotation,
 * {@code reconciler4j.all-controllers.*}, the defaults of {@code ControllerOptions}. What the annotation cannot say, a bean says
 * by implementing {@code ControllerConfigurer<T>} as well.
 *
 * @since 0.1.0
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
public @interface Reconciler {

    /**
     * The name of the controller: in properties, logs, metrics and health. The reconciled kind in lower case unless set.
     */
    String name() default "";

    /** The kind that is watched, for a {@code RequestReconciler}, which has no type argument to read it from. */
    Class<? extends HasMetadata> forType() default HasMetadata.class;

    /** Kinds whose objects are owned by the reconciled ones: a change of one reconciles its controlling owner. */
    Class<? extends HasMetadata>[] owns() default {};

    /**
     * Rights it needs besides watching the reconciled and owned kinds, above all what it writes: asked for at start, see
     * {@code reconciler4j.preflight}. Without it only what is watched is asked for.
     */
    Access[] access() default {};

    /** How many keys are reconciled at the same time, as a number or a {@code ${placeholder}}; one unless set. */
    String maxConcurrentReconciles() default "";

    /**
     * Whether the controller runs when {@code reconciler4j.enabled-controllers} does not name it but has a {@code *}, as it
     * has unless set.
     */
    boolean enabledByDefault() default true;
}
