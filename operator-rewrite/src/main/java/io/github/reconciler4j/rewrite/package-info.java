/** Recipes of OpenRewrite for operators that move to Reconciler4j. */
@NullMarked
package io.github.reconciler4j.rewrite;

import org.jspecify.annotations.NullMarked;
