package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates nodes: pods run, have succeeded, or wait for an image that does not exist. */
final class Pods implements Simulators.Simulation {
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
        containers.forEach(container -> status.withArray("containerStatuses").add(containerStatus(container, phase)));
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
