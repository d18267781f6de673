/** A Kubernetes API server inside the JVM, for operator tests and fault injection. */
@NullMarked
package io.github.reconciler4j.test;

import org.jspecify.annotations.NullMarked;
