package io.github.reconciler4j.controllers.internal.endpointslice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What is known for hints by topology: which part of all processors each zone has, and how the endpoints of each Service
 * are spread over the zones.
 *
 * <p>Safe for use by many threads.
 */
final class TopologyHints {

    private final Supplier<? extends Collection<Node>> nodes;
    private final AtomicBoolean nodesAreKnown = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();

    /** The part of all processors that each zone has; empty while hints cannot be given. */
    @GuardedBy("lock")
    private Map<String, Double> shares = Map.of();

    /** By Service and address type: how many endpoints are hinted at each zone. */
    @GuardedBy("lock")
    private final Map<String, Map<String, Map<String, Integer>>> hinted = new HashMap<>();

    @GuardedBy("lock")
    private final Set<String> enabled = new HashSet<>();

    TopologyHints(Supplier<? extends Collection<Node>> nodes) {
        this.nodes = nodes;
    }

    /** Note that zones or processors have changed. The next computation of hints reads them again. */
    void nodesChanged() {
        nodesAreKnown.set(false);
    }

    private void readNodes() {
        if (nodesAreKnown.compareAndSet(false, true)) {
            setShares(shares(nodes.get()));
        }
    }

    private void setShares(Map<String, Double> newShares) {
        lock.lock();
        try {
            shares = newShares;
        } finally {
            lock.unlock();
        }
    }

    static Map<String, Double> shares(Collection<Node> nodes) {
        Map<String, BigDecimal> processors = new TreeMap<>();
        for (Node node : nodes) {
            if (isControlPlane(node) || !isReady(node)) {
                continue;
            }
            String zone = labels(node).get(SliceEndpoints.ZONE);
            Quantity cpu = node.getStatus().getAllocatable().get("cpu");
            if (zone == null
                    || zone.isEmpty()
                    || cpu == null
                    || cpu.getNumericalAmount().signum() == 0) {
                return Map.of();
            }
            processors.merge(zone, cpu.getNumericalAmount(), BigDecimal::add);
        }
        if (processors.size() < 2) {
            return Map.of();
        }
        double all = processors.values().stream()
                .mapToDouble(BigDecimal::doubleValue)
                .sum();
        Map<String, Double> shares = new TreeMap<>();
        processors.forEach((zone, cpu) -> shares.put(zone, cpu.doubleValue() / all));
        return shares;
    }

    private static boolean isControlPlane(Node node) {
        return labels(node).containsKey("node-role.kubernetes.io/control-plane")
                || labels(node).containsKey("node-role.kubernetes.io/master");
    }

    static boolean isReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(c -> "Ready".equals(c.getType()) && "True".equals(c.getStatus()));
    }

    private static Map<String, String> labels(Node node) {
        return node.getMetadata().getLabels() == null
                ? Map.of()
                : node.getMetadata().getLabels();
    }

    /** Return the Services with so few endpoints for a zone that hints overload them. */
    List<String> overloaded() {
        if (!isUsed()) {
            return List.of();
        }
        readNodes();
        lock.lock();
        try {
            Map<String, Double> current = shares;
            return hinted.entrySet().stream()
                    .filter(service -> service.getValue().values().stream()
                            .anyMatch(zones -> ZoneAllocation.isOverloaded(zones, current)))
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private boolean isUsed() {
        lock.lock();
        try {
            return !hinted.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Set hints in the slices of a Service if that is possible, and remove them otherwise. */
    Outcome apply(String service, String addressType, SliceChanges changes, Collection<EndpointSlice> existing) {
        readNodes();
        return apply(currentShares(), service, addressType, changes, existing);
    }

    Outcome apply(
            Map<String, Double> shares,
            String service,
            String addressType,
            SliceChanges changes,
            Collection<EndpointSlice> existing) {
        ZoneAllocation allocation = new ZoneAllocation(shares, changes, existing);
        String problem = allocation.apply();
        if (!problem.isEmpty()) {
            TrafficHints.apply(null, changes, existing);
            forget(service, addressType);
            return new Outcome(false, problem + ", addressType: " + addressType);
        }
        lock.lock();
        try {
            hinted.computeIfAbsent(service, s -> new HashMap<>()).put(addressType, allocation.hinted());
            return enabled.add(service)
                    ? new Outcome(true, "Topology Aware Hints has been enabled, addressType: " + addressType)
                    : new Outcome(true, "");
        } finally {
            lock.unlock();
        }
    }

    /** Return whether hints were set that are not wanted any more, and forget them. */
    boolean forget(String service, String addressType) {
        lock.lock();
        try {
            Map<String, Map<String, Integer>> types = hinted.get(service);
            if (types != null && types.remove(addressType) != null && types.isEmpty()) {
                hinted.remove(service);
            }
            return enabled.remove(service);
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Double> currentShares() {
        lock.lock();
        try {
            return shares;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The outcome of computing hints.
     *
     * @param hinted whether hints are set
     * @param event the message of an event on the Service; empty if nothing is new
     */
    record Outcome(boolean hinted, String event) {}
}
