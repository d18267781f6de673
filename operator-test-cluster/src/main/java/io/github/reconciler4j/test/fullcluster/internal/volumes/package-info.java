/** What binds claims to volumes, and releases the volumes. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal.volumes;

import org.jspecify.annotations.NullMarked;
