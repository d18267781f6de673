package io.github.reconciler4j.sharding.internal.member;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.util.List;
import java.util.Optional;

/**
 * Lets the components of a manager take part in sharding: the cache and the controllers work on the shards that this replica holds, and
 * the components that implement {@link ShardHandler} are notified of them. Thread-safe.
 */
public final class ShardingExtension implements ManagerExtension {

    private final ShardingComponent component;
    private final boolean elects;

    private ShardingExtension(ShardingComponent component, boolean elects) {
        this.component = component;
        this.elects = elects;
    }

    /** Creates the extension of a manager with its component. */
    public static ShardingExtension create(ShardingOptions sharding, Host host) {
        Manager manager = host.manager();
        ShardingComponent component = new ShardingComponent(
                manager.home().connection(), manager.home().cache(), sharding, manager.options());
        manager.add(component);
        return new ShardingExtension(
                component, manager.options().leaderElection().isPresent());
    }

    /** Adds components that have not started. */
    @Override
    public void adding(List<ManagedComponent> components) {
        for (ManagedComponent added : components) {
            if (added.group() == StartGroup.LEADER_ELECTED && !elects) {
                throw new IllegalStateException("'" + added.name()
                        + "' must run on one replica, but with sharding several replicas work and there is no leader"
                        + " election: call ManagerOptions.withLeaderElection");
            }
        }
        components.forEach(component.work()::add);
    }

    @Override
    public void ended(List<ManagedComponent> components) {
        components.forEach(component.work()::remove);
    }

    @Override
    public void added(ManagedComponent added) {
        if (added instanceof ShardHandler handler) {
            component.membership().add(handler);
        }
    }

    @Override
    public void removed(ManagedComponent removed) {
        if (removed instanceof ShardHandler handler) {
            component.membership().remove(handler);
        }
    }

    @Override
    public Optional<Object> status() {
        return Optional.of(component.status());
    }
}
