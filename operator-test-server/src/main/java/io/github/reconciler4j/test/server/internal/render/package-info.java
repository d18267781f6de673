/** The representations of objects in responses: complete, as metadata only, or as rows of a {@code Table}. */
@NullMarked
package io.github.reconciler4j.test.server.internal.render;

import org.jspecify.annotations.NullMarked;
