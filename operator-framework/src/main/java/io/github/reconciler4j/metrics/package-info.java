/**
 * The hook through which every part reports measurements; does nothing unless something is bound to it.
 */
@NullMarked
package io.github.reconciler4j.metrics;

import org.jspecify.annotations.NullMarked;
