/** What the stand-ins do, in the background and after each write that concerns them. */
@NullMarked
package io.github.reconciler4j.test.server.internal.simulation;

import org.jspecify.annotations.NullMarked;
