/**
 * One leader among several replicas, by a Lease.
 */
@NullMarked
package io.github.reconciler4j.leaderelection;

import org.jspecify.annotations.NullMarked;
