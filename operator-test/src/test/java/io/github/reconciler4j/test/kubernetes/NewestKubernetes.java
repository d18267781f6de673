package io.github.reconciler4j.test.kubernetes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test that compares answers of the API server inside the JVM with a real one of the newest version, which it is like in all
 * but what former versions serve. The answers of a former version differ in details that no operator depends on.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@NeedsKubernetes("1.37")
public @interface NewestKubernetes {}
