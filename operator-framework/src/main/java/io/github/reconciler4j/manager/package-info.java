/**
 * Starts and stops all parts of an operator in order, and owns what they share.
 */
@NullMarked
package io.github.reconciler4j.manager;

import org.jspecify.annotations.NullMarked;
