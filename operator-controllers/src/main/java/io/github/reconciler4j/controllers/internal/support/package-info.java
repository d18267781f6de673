/** Small tools that the controllers share: pods, times, numbers, claims. */
@NullMarked
package io.github.reconciler4j.controllers.internal.support;

import org.jspecify.annotations.NullMarked;
