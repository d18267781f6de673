/**
 * From an event to the requests it should queue.
 */
@NullMarked
package io.github.reconciler4j.handler;

import org.jspecify.annotations.NullMarked;
