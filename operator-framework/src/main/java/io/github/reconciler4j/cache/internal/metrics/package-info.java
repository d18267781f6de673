/**
 * What is measured of one kind.
 */
@NullMarked
package io.github.reconciler4j.cache.internal.metrics;

import org.jspecify.annotations.NullMarked;
