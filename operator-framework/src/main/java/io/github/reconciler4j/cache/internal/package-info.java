/**
 * How the cache works inside: an {@code ItemReader} cuts single objects out of list answers and watch streams as bytes,
 * a {@code HeaderReader} picks their metadata, a {@code Reflector} keeps an {@code ObjectStore} current through
 * {@code KindCache}, which tells each {@code DefaultSubscription} what changed. Not for use from outside.
 */
@NullMarked
package io.github.reconciler4j.cache.internal;

import org.jspecify.annotations.NullMarked;
