/** Requests to a server: descriptions, matches, and the request log. */
@NullMarked
package io.github.reconciler4j.test.request;

import org.jspecify.annotations.NullMarked;
