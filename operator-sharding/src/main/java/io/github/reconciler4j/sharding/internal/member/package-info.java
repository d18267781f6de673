/**
 * What a replica that takes part in sharding does: {@link io.github.reconciler4j.sharding.internal.member.ShardingExtension} is what the
 * manager sees of it.
 */
@NullMarked
package io.github.reconciler4j.sharding.internal.member;

import org.jspecify.annotations.NullMarked;
