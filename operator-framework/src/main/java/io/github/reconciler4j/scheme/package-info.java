/**
 * Names: which Java class stands for which Kubernetes kind, and how an object of it is addressed.
 */
@NullMarked
package io.github.reconciler4j.scheme;

import org.jspecify.annotations.NullMarked;
