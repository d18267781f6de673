/** Reads objects, lists and headers from the API server, a page at a time. */
@NullMarked
package io.github.reconciler4j.client.internal.read;

import org.jspecify.annotations.NullMarked;
