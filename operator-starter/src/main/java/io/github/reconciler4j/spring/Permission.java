package io.github.reconciler4j.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Permissions that a reconciler needs besides listing and watching its kinds, in the form of an RBAC rule: what it
 * writes, and what it reads without watching. At startup the operator checks them and reports those that are missing.
 *
 * <!-- snippet: DeclaredPermissions -->
 * <pre>{@code
 * @Reconciler(
 *         owns = Deployment.class,
 *         permissions =
 *                 @Permission(
 *                         group = "apps",
 *                         resources = "deployments",
 *                         verbs = {"create", "patch"}))
 * }</pre>
 *
 * @since 0.1.0
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Permission {

    /** The API group. Defaults to the core group. */
    String group() default "";

    /** The plural names of the resources, with a subresource after a slash: {@code deployments}, {@code webapps/status}. */
    String[] resources();

    /** The verbs, such as {@code get}, {@code create}, {@code update}, {@code patch} and {@code delete}. */
    String[] verbs();
}
