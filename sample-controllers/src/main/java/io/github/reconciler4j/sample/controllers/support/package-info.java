/** Small tools that the controllers share: pods, times, numbers, claims. */
@NullMarked
package io.github.reconciler4j.sample.controllers.support;

import org.jspecify.annotations.NullMarked;
