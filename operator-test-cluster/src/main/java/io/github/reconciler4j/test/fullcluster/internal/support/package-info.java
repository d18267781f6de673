/** What scheduler and kubelets share: events and times. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal.support;

import org.jspecify.annotations.NullMarked;
