/**
 * Tools that the packages and modules of this project share, and that users cannot see.
 * {@link io.github.reconciler4j.support.internal.Platform} is where threads, time, waits and sockets come from.
 */
@NullMarked
package io.github.reconciler4j.support.internal;

import org.jspecify.annotations.NullMarked;
