package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.WriteHook;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.simulation.Simulator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the simulators after each write: for the object, for its controller, and for the services and claims of a pod. Safe
 * for use by multiple threads; the simulators themselves run one after the other in the thread behind {@code background}.
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

    /** Reconciles one object. Called after each change. */
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

    /** Simulates nodes: pods run, have succeeded, or wait for an image that does not exist. */
    private static final class Pods implements Simulators.Simulation {
        private static final String MISSING = "missing.example/";
        private static final List<String> CONDITIONS =
                List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");
        private static final int BYTE = 256;

        private final SimulatedObjects objects;
        private final AtomicInteger addresses = new AtomicInteger();

        Pods(SimulatedObjects objects) {
            this.objects = objects;
        }

        @Override
        public void sync(ObjectName name) {
            ObjectNode pod = objects.find(SimulatedObjects.PODS, name);
            if (pod != null
                    && Json.text(pod, "status", "phase").equals("Pending")
                    && Json.items(pod, "status", "containerStatuses").isEmpty()) {
                objects.updateStatus(SimulatedObjects.PODS, name, status -> run(pod, status));
            }
        }

        private void run(ObjectNode pod, ObjectNode status) {
            List<JsonNode> containers = Json.items(pod, "spec", "containers");
            boolean isMissing = containers.stream()
                    .anyMatch(container -> Json.text(container, "image").startsWith(MISSING));
            boolean ends = Json.items(pod, "metadata", "ownerReferences").stream()
                    .anyMatch(owner -> Json.text(owner, "kind").equals("Job"));
            String phase = isMissing ? "Pending" : ends ? "Succeeded" : "Running";
            status.put("phase", phase).put("startTime", objects.now());
            CONDITIONS.stream()
                    .filter(type -> isMissing ? type.equals("PodScheduled") : !ends || !type.endsWith("Ready"))
                    .forEach(type -> objects.condition(status, type, true, ""));
            if (!isMissing) {
                int number = addresses.incrementAndGet();
                status.put("podIP", "10.244." + number / BYTE % BYTE + "." + number % BYTE);
            }
            containers.forEach(
                    container -> status.withArray("containerStatuses").add(containerStatus(container, phase)));
        }

        private ObjectNode containerStatus(JsonNode container, String phase) {
            boolean isRunning = phase.equals("Running");
            ObjectNode status = Json.object()
                    .put("name", Json.text(container, "name"))
                    .put("image", Json.text(container, "image"))
                    .put("imageID", "")
                    .put("restartCount", 0)
                    .put("ready", isRunning)
                    .put("started", isRunning);
            ObjectNode state = status.putObject("state");
            switch (phase) {
                case "Running" -> state.putObject("running").put("startedAt", objects.now());
                case "Succeeded" ->
                    state.putObject("terminated")
                            .put("exitCode", 0)
                            .put("reason", "Completed")
                            .put("startedAt", objects.now())
                            .put("finishedAt", objects.now());
                default -> state.putObject("waiting").put("reason", "ImagePullBackOff");
            }
            return status;
        }
    }
}
