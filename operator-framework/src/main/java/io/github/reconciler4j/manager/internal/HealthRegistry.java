package io.github.reconciler4j.manager.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.internal.CallWatch;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The health checks of one manager: its own, those of its components and those that were added.
 *
 * <p>If a component {@link ManagedComponent#servesBeforeCaches serves before the caches}, the readiness of caches and of what
 * starts after them does not count. The API server may need that component to list a kind and connects to ready replicas only,
 * so a replica that waited for its caches would wait forever if all replicas did.
 *
 * <p>Thread-safe.
 */
public final class HealthRegistry {

    private static final int MAX_SHOWN = 10;

    private final Lifecycle lifecycle;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, HealthCheck> checks = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<ManagedComponent, List<HealthCheck>> ofComponents = new IdentityHashMap<>();

    @GuardedBy("lock")
    private final Set<ManagedComponent> early = Collections.newSetFromMap(new IdentityHashMap<>());

    private volatile boolean readyBeforeCaches;

    /** The first failure of the JVM itself, after which the process cannot be trusted; {@code ""} if there was none. */
    private volatile String jvmFailure = "";

    public HealthRegistry(Lifecycle lifecycle, Supplier<List<LeaseStatus>> leases, Cache cache, CallWatch calls) {
        this.lifecycle = lifecycle;
        add(new NamedCheck("manager", this::ofManager));
        add(afterCaches(new NamedCheck("cache", () -> ofKinds(cache.kinds()))));
        add(new NamedCheck("leader-election", () -> ofLeases(leases.get())));
        add(new NamedCheck("callbacks", () -> ofCalls(calls)));
    }

    /** The check of a cache that is not ready as long as there is a reason, which the details name. */
    public static HealthCheck ofCache(String name, Cache cache, Supplier<String> unavailable) {
        return new NamedCheck(name, () -> {
            HealthCheck.Health health = ofKinds(cache.kinds());
            String reason = unavailable.get();
            if (reason.isEmpty()) {
                return health;
            }
            Map<String, Object> details = new LinkedHashMap<>(health.details());
            details.put("failure", reason);
            return new HealthCheck.Health(health.alive(), false, details);
        });
    }

    private record NamedCheck(String name, Supplier<Health> health) implements HealthCheck {

        @Override
        public Health check() {
            return health.get();
        }
    }

    public void add(HealthCheck check) {
        String name = check.name();
        lock.lock();
        try {
            if (checks.putIfAbsent(name, check) != null) {
                throw new IllegalArgumentException("There is already a health check named '" + name + "'");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds the checks of all these components, or none if a name is taken. */
    public void add(List<ManagedComponent> components) {
        Map<String, HealthCheck> added = new LinkedHashMap<>();
        Map<ManagedComponent, List<HealthCheck>> byComponent = new IdentityHashMap<>();
        for (ManagedComponent component : components) {
            List<HealthCheck> its = checksOf(component);
            its.forEach(check -> added.put(check.name(), check));
            byComponent.put(component, its);
        }
        List<ManagedComponent> serving =
                components.stream().filter(ManagedComponent::servesBeforeCaches).toList();
        String owner = components.get(0).name();
        lock.lock();
        try {
            Set<String> taken = new TreeSet<>(added.keySet());
            taken.retainAll(checks.keySet());
            if (!taken.isEmpty()) {
                throw new IllegalArgumentException("Cannot add '" + owner + "': there is already a health check named '"
                        + taken.iterator().next() + "'");
            }
            checks.putAll(added);
            ofComponents.putAll(byComponent);
            early.addAll(serving);
            readyBeforeCaches = !early.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private List<HealthCheck> checksOf(ManagedComponent component) {
        List<HealthCheck> its = component.healthChecks();
        if (!component.cluster().isEmpty()) {
            return its.stream().map(check -> ofJoinedCluster(check, component)).toList();
        }
        return component.group().compareTo(StartGroup.CACHES) < 0
                ? its
                : its.stream().map(this::afterCaches).toList();
    }

    public void remove(List<ManagedComponent> components) {
        lock.lock();
        try {
            for (ManagedComponent component : components) {
                checks.values().removeAll(Objects.requireNonNullElse(ofComponents.remove(component), List.of()));
                early.remove(component);
            }
            readyBeforeCaches = !early.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    public List<HealthCheck> checks() {
        lock.lock();
        try {
            return List.copyOf(checks.values());
        } finally {
            lock.unlock();
        }
    }

    /** Takes note of a throwable from user code. A stack overflow concerns the caller alone. */
    public void record(Throwable failure) {
        VirtualMachineError error = Causes.find(failure, VirtualMachineError.class);
        if (error != null && !(error instanceof StackOverflowError) && jvmFailure.isEmpty()) {
            jvmFailure = error.toString();
        }
    }

    /** A component that waits for something outside does not make the others unready; the details name it. */
    private HealthCheck.Health ofManager() {
        Map<String, Object> details = new LinkedHashMap<>();
        boolean failed = false;
        for (ComponentState status : lifecycle.statuses()) {
            String text = status.state().name();
            details.put(status.name(), status.detail().isEmpty() ? text : text + ": " + status.detail());
            failed |= status.state() == State.FAILED;
        }
        if (!jvmFailure.isEmpty()) {
            details.put("jvmFailure", jvmFailure);
        }
        boolean ready = lifecycle.isRunning(readyBeforeCaches);
        return new HealthCheck.Health(!failed && jvmFailure.isEmpty(), ready, details);
    }

    /** A kind whose definition or permission is missing makes only those unready that need it. */
    private static HealthCheck.Health ofKinds(List<KindStatus> kinds) {
        Map<String, Object> details = new LinkedHashMap<>();
        kinds.forEach(kind -> details.put(kind.kind().resource(), details(kind)));
        boolean alive = kinds.stream().allMatch(KindStatus::watched);
        boolean ready = kinds.stream().allMatch(kind -> kind.synced() || kind.requiresAction());
        return new HealthCheck.Health(alive, ready, details);
    }

    private static Map<String, Object> details(KindStatus kind) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("synced", kind.synced());
        details.put("objects", kind.objects());
        if (kind.synced()) {
            details.put("stalenessSeconds", kind.activity().staleness().toSeconds());
        }
        kind.activity().initialSync().ifPresent(sync -> {
            details.put("listed", sync.objects());
            details.put("objectsPerSecond", Math.round(sync.objectsPerSecond()));
            sync.remaining().ifPresent(left -> details.put("remaining", left));
        });
        if (!kind.activity().busyObjects().isEmpty()) {
            details.put(
                    "busyObjects",
                    kind.activity().busyObjects().stream().map(Object::toString).toList());
        }
        if (!kind.watched()) {
            details.put("watched", false);
        }
        if (!kind.failure().isEmpty()) {
            details.put("failure", kind.failure());
        }
        if (kind.content().undecodableObjects() > 0) {
            details.put("undecodableObjects", kind.content().undecodableObjectMessages());
            details.put("undecodableObjectCount", kind.content().undecodableObjects());
        }
        return details;
    }

    /** A restart ends what does not return. It stays ready, because others may get through. */
    private static HealthCheck.Health ofCalls(CallWatch calls) {
        List<String> overdue = calls.overdue();
        Map<String, Object> details = new LinkedHashMap<>();
        if (!overdue.isEmpty()) {
            details.put("notReturned", overdue.stream().limit(MAX_SHOWN).toList());
            details.put("notReturnedCount", overdue.size());
        }
        return new HealthCheck.Health(calls.isAlive() && !calls.isFatal(), true, details);
    }

    /** A standby is ready. */
    public static HealthCheck.Health ofLeases(List<LeaseStatus> leases) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (LeaseStatus lease : leases) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("leading", lease.leading());
            detail.put("holder", Texts.inOneLine(lease.holder()));
            detail.put("identity", lease.identity());
            if (!lease.failure().isEmpty()) {
                detail.put("failure", lease.failure());
            }
            details.put(lease.key().toString(), detail);
        }
        boolean alive = leases.stream().allMatch(lease -> lease.replica().alive());
        return new HealthCheck.Health(alive, true, details);
    }

    /** A check of a cache, or of a component that starts with the caches or after them. */
    private HealthCheck afterCaches(HealthCheck check) {
        return new NamedCheck(check.name(), () -> {
            HealthCheck.Health health = check.check();
            return readyBeforeCaches ? new HealthCheck.Health(health.alive(), true, health.details()) : health;
        });
    }

    /**
     * A check of a component of another cluster, which says how that cluster is and does not make the replica unready. What waits
     * for the cluster has not started, so its own check does not know why.
     */
    private HealthCheck ofJoinedCluster(HealthCheck check, ManagedComponent component) {
        return new NamedCheck(check.name(), () -> {
            HealthCheck.Health health = check.check();
            Map<String, Object> details = new LinkedHashMap<>(health.details());
            List<ComponentState> waiting = lifecycle.statuses(runner -> runner.isOneOf(List.of(component))).stream()
                    .filter(status -> status.state() == State.WAITING && status.group() != StartGroup.CACHES)
                    .toList();
            waiting.forEach(status -> details.putIfAbsent("failure", status.detail()));
            details.put("available", health.ready() && waiting.isEmpty());
            return new HealthCheck.Health(health.alive(), true, details);
        });
    }
}
