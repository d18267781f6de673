/**
 * The three kinds of patches that are not server-side apply: RFC 6902, RFC 7386 and strategic merge patch, with the API
 * server's own deviations from the standards.
 */
@NullMarked
package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import org.jspecify.annotations.NullMarked;
