/** The examples of the documentation, compiled. */
@NullMarked
package io.github.reconciler4j.examples;

import org.jspecify.annotations.NullMarked;
