/** Stand-ins for what a cluster does around its API server. */
@NullMarked
package io.github.reconciler4j.test.simulation;

import org.jspecify.annotations.NullMarked;
