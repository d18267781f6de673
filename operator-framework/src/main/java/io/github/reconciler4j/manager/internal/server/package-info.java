/** The API servers of a manager with what belongs to each: connection, cache, client and recorder. */
@NullMarked
package io.github.reconciler4j.manager.internal.server;

import org.jspecify.annotations.NullMarked;
