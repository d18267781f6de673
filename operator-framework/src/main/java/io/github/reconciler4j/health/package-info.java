/**
 * Checks that say whether a part of the operator works.
 */
@NullMarked
package io.github.reconciler4j.health;

import org.jspecify.annotations.NullMarked;
