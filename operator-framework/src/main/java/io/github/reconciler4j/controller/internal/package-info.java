/**
 * The inside of a controller: its workers, what one run does, and how runs are watched and reported.
 */
@NullMarked
package io.github.reconciler4j.controller.internal;

import org.jspecify.annotations.NullMarked;
