/** Programs that do the same work with different libraries. */
@NullMarked
package io.github.reconciler4j.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
