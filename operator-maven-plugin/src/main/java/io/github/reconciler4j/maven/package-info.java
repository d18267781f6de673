/**
 * The goals of {@code reconciler4j-maven-plugin}. Each runs a command of the generator in a JVM of its own, whose class
 * path is that of the project followed by what the generator needs besides: so the project's versions win, and a goal and
 * {@link io.github.reconciler4j.generator.Main} do the same.
 */
@NullMarked
package io.github.reconciler4j.maven;

import org.jspecify.annotations.NullMarked;
