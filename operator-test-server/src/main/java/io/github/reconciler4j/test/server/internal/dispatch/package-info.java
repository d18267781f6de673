/** The road of a request through the server: who, what, allowed, answered. */
@NullMarked
package io.github.reconciler4j.test.server.internal.dispatch;

import org.jspecify.annotations.NullMarked;
