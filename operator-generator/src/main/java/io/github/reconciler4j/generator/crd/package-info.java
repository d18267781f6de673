/**
 * CustomResourceDefinitions from Java classes. fabric8's generator makes the schema, the annotations of
 * {@code io.github.reconciler4j.crd}, the Javadoc and the Java types refine it, and an API server inside this JVM checks
 * the result.
 */
@NullMarked
package io.github.reconciler4j.generator.crd;

import org.jspecify.annotations.NullMarked;
