/** What a full cluster consists of besides the API server and the controllers. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal;

import org.jspecify.annotations.NullMarked;
