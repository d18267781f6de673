/** The server's error answers, as Kubernetes {@code Status} objects. */
@NullMarked
package io.github.reconciler4j.test.server.internal.error;

import org.jspecify.annotations.NullMarked;
