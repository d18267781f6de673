package io.github.reconciler4j.objectset;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.KindSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds that the controller of a thread watches in a cluster. Without a controller, all kinds count as watched. Immutable. */
final class ControllerKinds implements SetKinds {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectSets.class);

    private final Cluster cluster;
    private final @Nullable Controller<?> controller;
    private final Lock lock;

    private ControllerKinds(Cluster cluster, @Nullable Controller<?> controller, Lock lock) {
        this.cluster = cluster;
        this.controller = controller;
        this.lock = lock;
    }

    /** Return the kinds of the controller that the calling thread runs for, at each call; workers add a kind one after another. */
    static Supplier<SetKinds> of(Manager manager) {
        Lock adding = new ReentrantLock();
        return () -> here(manager, adding);
    }

    private static SetKinds here(Manager manager, Lock lock) {
        String name = WorkScope.cluster();
        Cluster cluster = manager.home()
                .sibling(name)
                .orElseThrow(() -> new IllegalStateException("The cluster '" + name + "' has left the manager"));
        String controller = WorkScope.controller().orElse("");
        return new ControllerKinds(cluster, controller.isEmpty() ? null : find(manager, controller, name), lock);
    }

    /** Return the controller with a name in a cluster, or else the one of the home cluster, which reconciles everywhere. */
    private static @Nullable Controller<?> find(Manager manager, String name, String cluster) {
        Controller<?> home = null;
        for (ManagedComponent component : manager.components()) {
            if (component instanceof Controller<?> each) {
                if (each.name().equals(cluster.isEmpty() ? name : name + "@" + cluster)) {
                    return each;
                }
                home = each.name().equals(name) ? each : home;
            }
        }
        return home;
    }

    @Override
    public Client client() {
        return cluster.client();
    }

    @Override
    public Optional<KindName> watched(KindName kind) {
        return controller == null
                ? Optional.of(kind)
                : sources(controller)
                        .map(source -> source.kind().kind())
                        .filter(kind::sameGroupKind)
                        .findFirst();
    }

    private static Stream<KindSource<?, ?>> sources(Controller<?> controller) {
        return controller.sources().stream()
                .filter(KindSource.class::isInstance)
                .map(source -> (KindSource<?, ?>) source);
    }

    @Override
    @SuppressWarnings("unchecked") // a controller whose owners have children has requests for objects
    public void follow(Kind<?> kind, KindInfo owner) {
        if (controller == null) {
            return;
        }
        Informer<ObjectHeader> informer = cluster.cache().optionalInformer(kind.metadata());
        lock.lock();
        try {
            if (watched(kind.name()).isPresent()) {
                return;
            }
            ((Controller<Request>) controller)
                    .watch(new KindSource<>(
                            informer, EventHandlers.forOwner(owner, OwnerMatch.CONTROLLER), event -> true));
        } finally {
            lock.unlock();
        }
        LOG.info("Controller {} watches {}, which the API server serves", controller(), kind);
    }

    @Override
    public boolean serves(Kind<?> kind) {
        return client().serves(kind);
    }

    @Override
    public boolean isSynced(Kind<?> kind) {
        return cluster.cache().informer(kind.metadata()).hasSynced();
    }

    @Override
    public void indexLabel(Kind<?> kind, String label) {
        cluster.cache().informer(kind.metadata()).addLabelIndex(label);
    }

    @Override
    public Set<KindName> pruned() {
        return controller == null ? Set.of() : controller.options().prunedKinds();
    }

    @Override
    public String controller() {
        return controller == null ? "" : controller.name();
    }

    @Override
    public String toString() {
        return "ControllerKinds[" + List.of(controller(), cluster.name()) + "]";
    }
}
