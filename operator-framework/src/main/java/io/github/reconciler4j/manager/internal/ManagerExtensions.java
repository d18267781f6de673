package io.github.reconciler4j.manager.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.internal.server.ServerComponent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** The extensions of a manager, none without a module that adds one, and what the manager does for them. Thread-safe. */
final class ManagerExtensions implements ManagerExtension.Host {

    private final DefaultManager manager;
    private final ServerComponent.Shared shared;
    private final Consumer<Throwable> failures;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Class<?>, ManagerExtension> byType = new HashMap<>();

    /** Changed under the lock. */
    private final List<ManagerExtension> extensions;

    /** The names of clusters, so that one whose name is taken does not end the metrics of the cluster that has it. */
    private final Set<String> connected = ConcurrentHashMap.newKeySet();

    ManagerExtensions(DefaultManager manager, ServerComponent.Shared shared, Consumer<Throwable> failures) {
        this.manager = manager;
        this.shared = shared;
        this.extensions = shared.extensions();
        this.failures = failures;
    }

    /** Return the extension of a type. A new one is notified of the components, also of those that are added meanwhile. */
    <E extends ManagerExtension> E get(Class<E> type, Function<? super ManagerExtension.Host, ? extends E> create) {
        lock.lock();
        try {
            ManagerExtension known = byType.get(type);
            if (known != null) {
                return type.cast(known);
            }
            E created = create.apply(this);
            extensions.add(created);
            List<ManagedComponent> before = manager.components();
            before.forEach(created::added);
            List<ManagedComponent> after = manager.components();
            before.stream().filter(each -> !after.contains(each)).forEach(created::removed);
            byType.put(type, created);
            return created;
        } finally {
            lock.unlock();
        }
    }

    /** Create the extensions of the options. */
    void create() {
        shared.options().extensions().forEach(each -> each.create(this).ifPresent(extensions::add));
    }

    void adding(List<ManagedComponent> components) {
        extensions.forEach(extension -> extension.adding(components));
    }

    void ended(List<ManagedComponent> components) {
        extensions.forEach(extension -> extension.ended(components));
    }

    List<Object> statuses() {
        return extensions.stream()
                .flatMap(extension -> extension.status().stream())
                .toList();
    }

    void added(List<ManagedComponent> components) {
        extensions.forEach(extension -> components.forEach(extension::added));
    }

    void removed(List<ManagedComponent> components) {
        extensions.forEach(extension -> components.forEach(extension::removed));
    }

    @Override
    public Manager manager() {
        return manager;
    }

    @Override
    public Cluster connect(String name, OptionalInt part, Config config) {
        if (!connected.add(name)) {
            throw new IllegalArgumentException("The manager has a cluster '" + name + "' already");
        }
        ServerComponent server = null;
        try {
            server = ServerComponent.other(name, part, config, shared, manager::preflight);
            manager.add(server);
        } catch (Throwable e) {
            if (server != null) {
                server.stop(Duration.ZERO);
            }
            connected.remove(name);
            throw e;
        }
        shared.servers().put(name, server);
        return server;
    }

    @Override
    public boolean disconnect(Cluster cluster) {
        ServerComponent leaving = (ServerComponent) cluster;
        shared.servers().remove(cluster.name(), leaving);
        List<ManagedComponent> its = manager.components().stream()
                .filter(component -> component.cluster().equals(cluster.name()) && component != leaving)
                .toList();
        boolean ended = manager.removeAll(its).orElse(true);
        ended &= manager.removeAll(List.of(leaving)).orElse(true);
        connected.remove(cluster.name());
        return ended;
    }

    @Override
    public void failed(Throwable failure) {
        failures.accept(failure);
    }
}
