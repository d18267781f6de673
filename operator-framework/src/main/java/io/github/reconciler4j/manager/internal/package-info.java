/**
 * How the manager does it; of no concern to users.
 */
@NullMarked
package io.github.reconciler4j.manager.internal;

import org.jspecify.annotations.NullMarked;
