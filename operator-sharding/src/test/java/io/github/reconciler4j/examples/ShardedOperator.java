package io.github.reconciler4j.examples;

import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.sharding.ShardingOptions;

/** The options of a manager that shares its shards with other replicas. */
final class ShardedOperator {

    private ShardedOperator() {}

    static ManagerOptions options() {
        return ManagerOptions.defaults().withExtension(ShardingOptions.named("my-operator"));
    }
}
