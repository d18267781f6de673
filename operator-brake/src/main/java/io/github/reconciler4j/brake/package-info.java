/**
 * Stops the deletions of a controller that deletes more than a share of its objects in a short time. See {@link Brake}.
 */
@NullMarked
package io.github.reconciler4j.brake;

import org.jspecify.annotations.NullMarked;
