/**
 * A queue, its workers, and the sources that feed it.
 */
@NullMarked
package io.github.reconciler4j.controller;

import org.jspecify.annotations.NullMarked;
