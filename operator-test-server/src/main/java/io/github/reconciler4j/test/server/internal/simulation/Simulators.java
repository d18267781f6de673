package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteHook;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.simulation.Simulator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the simulators after each write: for the object, for its controller, and for the services and claims of a pod. Safe
 * for use by multiple threads; the simulators themselves run one after the other in the thread behind {@code background}.
 *
 * @since 0.1.0
 */
public final class Simulators implements WriteHook {
    private static final Map<String, String> OWNERS = Map.of(
            "Deployment", SimulatedObjects.DEPLOYMENTS,
            "ReplicaSet", SimulatedObjects.REPLICA_SETS,
            "StatefulSet", SimulatedObjects.STATEFUL_SETS,
            "Job", SimulatedObjects.JOBS);

    private final ObjectAccess access;
    private final Consumer<Runnable> background;
    private final Map<String, Simulation> simulations = new HashMap<>();
    private final Set<Task> waiting = ConcurrentHashMap.newKeySet();

    /** Brings what belongs to one object into its desired state. Called again after each change. */
    @FunctionalInterface
    interface Simulation {
        void sync(ObjectName name);
    }

    private record Task(String resource, ObjectName name) {}

    /** Create the simulators; {@code background} runs tasks one after the other in another thread. */
    public Simulators(Set<Simulator> wanted, ObjectAccess access, Consumer<Runnable> background) {
        this.access = access;
        this.background = background;
        SimulatedObjects objects = new SimulatedObjects(access);
        Workloads workloads = new Workloads(objects);
        if (wanted.contains(Simulator.DEPLOYMENTS)) {
            simulations.put(SimulatedObjects.DEPLOYMENTS, workloads::deployment);
            simulations.put(SimulatedObjects.REPLICA_SETS, workloads::replicaSet);
        }
        if (wanted.contains(Simulator.STATEFUL_SETS)) {
            simulations.put(SimulatedObjects.STATEFUL_SETS, workloads::statefulSet);
            simulations.put(SimulatedObjects.CLAIMS, workloads::claim);
        }
        if (wanted.contains(Simulator.JOBS)) {
            simulations.put(SimulatedObjects.JOBS, workloads::job);
        }
        if (!simulations.isEmpty() || wanted.contains(Simulator.PODS)) {
            simulations.put(SimulatedObjects.PODS, new Pods(objects));
        }
        if (wanted.contains(Simulator.ENDPOINTS)) {
            simulations.put(SimulatedObjects.SERVICES, workloads::service);
        }
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        String resource = type.id().toString();
        if (after != null) {
            schedule(resource, SimulatedObjects.name(after));
        }
        boolean isPod = resource.equals(SimulatedObjects.PODS);
        if (!isPod && !simulations.containsKey(resource)) {
            return;
        }
        ObjectNode object = after == null ? before : after;
        String namespace = Json.text(object, "metadata", "namespace");
        for (JsonNode owner : Json.items(object, "metadata", "ownerReferences")) {
            String ownerResource = OWNERS.get(Json.text(owner, "kind"));
            if (ownerResource != null) {
                schedule(ownerResource, new ObjectName(namespace, Json.text(owner, "name")));
            }
        }
        if (isPod) {
            scheduleAll(SimulatedObjects.SERVICES, namespace);
        }
        if (isPod && after == null) {
            scheduleAll(SimulatedObjects.CLAIMS, namespace);
        }
    }

    private void scheduleAll(String resource, String namespace) {
        if (simulations.containsKey(resource)) {
            access.store()
                    .list(new ResourceId("", resource), ListQuery.all(namespace))
                    .items()
                    .forEach(object -> schedule(resource, object.name()));
        }
    }

    private void schedule(String resource, ObjectName name) {
        Simulation simulation = simulations.get(resource);
        Task task = new Task(resource, name);
        if (simulation != null && waiting.add(task)) {
            background.accept(() -> {
                waiting.remove(task);
                simulation.sync(name);
            });
        }
    }
}
