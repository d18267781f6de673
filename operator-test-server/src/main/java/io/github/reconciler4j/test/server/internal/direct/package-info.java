/** Requests that reach the server without a socket, from the same JVM. */
@NullMarked
package io.github.reconciler4j.test.server.internal.direct;

import org.jspecify.annotations.NullMarked;
