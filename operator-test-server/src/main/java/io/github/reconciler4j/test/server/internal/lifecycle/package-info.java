/** What happens after a write: namespaces, garbage collection, custom resource definitions coming and going. */
@NullMarked
package io.github.reconciler4j.test.server.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
