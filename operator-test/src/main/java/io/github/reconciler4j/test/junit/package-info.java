/** Gives plain JUnit tests a cluster. */
@NullMarked
package io.github.reconciler4j.test.junit;

import org.jspecify.annotations.NullMarked;
