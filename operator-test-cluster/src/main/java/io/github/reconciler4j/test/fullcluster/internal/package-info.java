/** The manager of the controllers, and below it what a full cluster consists of besides the API server. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal;

import org.jspecify.annotations.NullMarked;
