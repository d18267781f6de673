/**
 * Annotations that describe the schema of a custom resource beyond what fabric8's annotations
 * ({@code io.fabric8.generator.annotation} and {@code io.fabric8.crd.generator.annotation}) can say: how lists and maps
 * merge, which fields are immutable, formats and examples, and which fields exclude each other. They have an effect at
 * build time only: {@code reconciler4j-maven-plugin} reads them when it writes CustomResourceDefinitions. All of them may
 * stand on a field or on its getter; descriptions come from Javadoc and need no annotation.
 */
@NullMarked
package io.github.reconciler4j.crd;

import org.jspecify.annotations.NullMarked;
