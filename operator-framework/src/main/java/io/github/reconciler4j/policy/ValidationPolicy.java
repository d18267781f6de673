package io.github.reconciler4j.policy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a ValidatingAdmissionPolicy, on the class of a kind or of a reconciler. Needs Kubernetes 1.30.
 *
 * <!-- snippet: BucketPolicies -->
 * <pre>{@code
 * @ValidationPolicy(
 *         matchConditions = "people = !request.userInfo.username.startsWith('system:')",
 *         rules =
 *                 @ValidationPolicy.Rule(
 *                         value = "!object.metadata.name.startsWith('system-')",
 *                         message = "names that start with 'system-' are reserved",
 *                         reason = "Forbidden"))
 * }</pre>
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ValidationPolicy.All.class)
public @interface ValidationPolicy {

    /** The name of the policy, which follows the name of the operator. Default: the kind in lower case. */
    String name() default "";

    /** The kinds it is for. Default: the annotated kind, or the kind of the annotated reconciler. */
    Class<? extends HasMetadata>[] kinds() default {};

    /** The rules, at least one. */
    Rule[] rules();

    /** The operations it is for, of {@code CREATE}, {@code UPDATE}, {@code DELETE} and {@code CONNECT}. */
    String[] operations() default {"CREATE", "UPDATE"};

    /** Variables of the form {@code name = expression}, which rules use as {@code variables.name}. */
    String[] variables() default {};

    /** Conditions of the form {@code name = expression} that a request must meet. */
    String[] matchConditions() default {};

    /** What happens to a request that violates a rule: {@code Deny}, {@code Warn} and {@code Audit}. */
    String[] actions() default "Deny";

    /** Whether a request is allowed if an expression fails. Default: it is denied. */
    boolean ignoreFailures() default false;

    /**
     * A rule.
     *
     * @since 0.1.0
     */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({})
    @interface Rule {

        /** The expression in CEL, which is true for valid objects. */
        String value();

        /** The message for users, one line. */
        String message() default "";

        /** An expression for the message, which takes precedence. */
        String messageExpression() default "";

        /** The reason of the status: {@code Invalid}, {@code Forbidden}, {@code Unauthorized}, or {@code RequestEntityTooLarge}. */
        String reason() default "Invalid";
    }

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
        ValidationPolicy[] value();
    }
}
