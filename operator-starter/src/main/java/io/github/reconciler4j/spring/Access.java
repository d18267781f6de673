package io.github.reconciler4j.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Rights that a reconciler needs besides watching its kinds, as a rule of RBAC: what it writes, and what it reads without
 * watching. The operator asks for them at start and reports those that are missing.
 *
 * @since 0.1.0
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Access {

    /** The API group, the core group unless set. */
    String group() default "";

    /** The resources in the plural, with a subresource after a slash: {@code deployments}, {@code webapps/status}. */
    String[] resources();

    /** What is done with them: {@code get}, {@code create}, {@code update}, {@code patch}, {@code delete}. */
    String[] verbs();
}
