/**
 * The seam between the client, the cache, which shows a program its own writes, and the manager, which stops the writes of a
 * replica that has lost its lease, and waits for API servers. Only these packages and leader election use it;
 * object sets and plans use {@code PlanScope}.
 */
@NullMarked
package io.github.reconciler4j.client.internal.spi;

import org.jspecify.annotations.NullMarked;
