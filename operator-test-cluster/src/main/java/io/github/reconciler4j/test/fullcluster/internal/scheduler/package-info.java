/** The replacement for kube-scheduler: chooses nodes by their labels, taints and number of pods. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import org.jspecify.annotations.NullMarked;
