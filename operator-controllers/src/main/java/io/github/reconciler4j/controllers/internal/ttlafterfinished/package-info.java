/** The controller that deletes Jobs some time after they have finished. */
@NullMarked
package io.github.reconciler4j.controllers.internal.ttlafterfinished;

import org.jspecify.annotations.NullMarked;
