/** Tools that the packages and modules of this project share, and that users cannot see. */
@NullMarked
package io.github.reconciler4j.support.internal;

import org.jspecify.annotations.NullMarked;
