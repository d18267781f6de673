/** The simulators, which run in the background after each write that concerns them. */
@NullMarked
package io.github.reconciler4j.test.server.internal.simulation;

import org.jspecify.annotations.NullMarked;
