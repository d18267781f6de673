/**
 * Where events come from: watched kinds and channels from outside the cluster.
 */
@NullMarked
package io.github.reconciler4j.source;

import org.jspecify.annotations.NullMarked;
