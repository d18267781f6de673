package io.github.reconciler4j.support;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a young part of the API, which may change or disappear in any version, with a line in the changelog. On a package it holds for
 * all types in it. It has no effect at run time.
 *
 * <p>{@code VERSIONING.md} of the project says how long the mark stays and what the other parts promise.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PACKAGE, ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.FIELD})
public @interface Incubating {}
