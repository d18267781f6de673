/**
 * How {@code client} does it; not for others.
 */
@NullMarked
package io.github.reconciler4j.client.internal;

import org.jspecify.annotations.NullMarked;
