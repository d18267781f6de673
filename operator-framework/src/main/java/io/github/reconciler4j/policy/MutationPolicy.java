package io.github.reconciler4j.policy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a MutatingAdmissionPolicy, on the class of a kind or of a reconciler. Needs Kubernetes 1.36.
 *
 * <!-- snippet: BucketPolicies -->
 * <pre>{@code
 * @MutationPolicy(
 *         matchConditions = "no-team = !has(object.metadata.labels) || !('team' in object.metadata.labels)",
 *         applyConfigurations = "Object{metadata: Object.metadata{labels: {'team': 'unknown'}}}")
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(MutationPolicy.All.class)
public @interface MutationPolicy {

    /** The name of the policy, which follows the name of the operator. Default: the kind in lower case. */
    String name() default "";

    /** The kinds it is for. Default: the annotated kind, or the kind of the annotated reconciler. */
    Class<? extends HasMetadata>[] kinds() default {};

    /** Expressions of the form {@code Object{...}}, which are applied in order. */
    String[] applyConfigurations() default {};

    /** Expressions of the form {@code [JSONPatch{...}]}, which are applied in order after the configurations. */
    String[] jsonPatches() default {};

    /** The operations it is for, of {@code CREATE}, {@code UPDATE} and {@code CONNECT}. */
    String[] operations() default {"CREATE", "UPDATE"};

    /** Variables of the form {@code name = expression}, which expressions use as {@code variables.name}. */
    String[] variables() default {};

    /** Conditions of the form {@code name = expression} that a request must meet. */
    String[] matchConditions() default {};

    /** Whether a request continues unchanged if an expression fails. Default: it is denied. */
    boolean ignoreFailures() default false;

    /** Whether the policy applies again after other policies or webhooks have changed the object. Default: false. */
    boolean reinvocation() default false;

    /**
     * Contains several policies.
     *
     * @since 0.1.0
     */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {

        /** The policies. */
        MutationPolicy[] value();
    }
}
