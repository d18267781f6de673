/**
 * Puts a controller together from a few words: for, owns, watches.
 */
@NullMarked
package io.github.reconciler4j.builder;

import org.jspecify.annotations.NullMarked;
