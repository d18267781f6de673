/** Stand-ins for what a cluster does around its API server. */
@NullMarked
package io.github.reconciler4j.test.standin;

import org.jspecify.annotations.NullMarked;
