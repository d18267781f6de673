/**
 * The cluster that a test runs against: an API server in this JVM, or, when the system property
 * {@code reconciler4j.test.cluster} says so, a real one. Tests are the same for all.
 */
@NullMarked
package io.github.reconciler4j.test.cluster;

import org.jspecify.annotations.NullMarked;
