/**
 * Delivers changes to subscriptions.
 *
 * <p>A {@code ChangeFeed} applies changes to the store and offers them to all subscriptions in one step. Each subscription
 * has a {@code SubscriptionQueue}, which coalesces what waits for one object, and a thread that calls the listener under no
 * lock.
 */
@NullMarked
package io.github.reconciler4j.cache.internal.subscription;

import org.jspecify.annotations.NullMarked;
