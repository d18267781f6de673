/** Simulators of the controllers and nodes of a cluster. */
@NullMarked
package io.github.reconciler4j.test.simulation;

import org.jspecify.annotations.NullMarked;
