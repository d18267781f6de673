/** Reactions to writes: deletion of namespaces, garbage collection, and custom resource definitions. */
@NullMarked
package io.github.reconciler4j.test.server.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
