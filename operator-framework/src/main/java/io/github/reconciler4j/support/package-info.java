/**
 * Small tools that several packages share: time, backoff, causes, threads, a bounded map. Not part of the public API; any
 * release may change it.
 */
@NullMarked
package io.github.reconciler4j.support;

import org.jspecify.annotations.NullMarked;
