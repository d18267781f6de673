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
 * Has the stand-ins look at what was written: the object, its controller, and the services around a pod.
 *
 * @since 0.1.0
 */
public final class Simulators implements WriteHook {
    private static final String PODS = "pods";
    private static final String SERVICES = "services";
    private static final String CLAIMS = "persistentvolumeclaims";
    private static final Map<String, String> OWNERS = Map.of(
            "Deployment", "deployments.apps",
            "ReplicaSet", "replicasets.apps",
            "StatefulSet", "statefulsets.apps",
            "Job", "jobs.batch");

    /**
     * Something to look at.
     *
     * @param resource its kind
     * @param name which one
     */
    private record Task(String resource, ObjectName name) {}

    private final ObjectAccess access;
    private final Consumer<Runnable> background;
    private final Map<String, Simulation> works = new HashMap<>();
    private final Set<Task> waiting = ConcurrentHashMap.newKeySet();

    /** Those that are wanted; {@code background} runs tasks one after the other in another thread. */
    public Simulators(Set<Simulator> wanted, ObjectAccess access, Consumer<Runnable> background) {
        this.access = access;
        this.background = background;
        SimulatedObjects objects = new SimulatedObjects(access);
        if (wanted.contains(Simulator.DEPLOYMENTS)) {
            works.put("deployments.apps", new Deployments(objects));
            works.put("replicasets.apps", new ReplicaSets(objects));
        }
        if (wanted.contains(Simulator.STATEFUL_SETS)) {
            works.put("statefulsets.apps", new StatefulSets(objects));
            works.put(CLAIMS, new Claims(objects));
        }
        if (wanted.contains(Simulator.JOBS)) {
            works.put("jobs.batch", new Jobs(objects));
        }
        if (!works.isEmpty() || wanted.contains(Simulator.PODS)) {
            works.put(PODS, new Pods(objects));
        }
        if (wanted.contains(Simulator.ENDPOINTS)) {
            works.put(SERVICES, new Endpoints(objects));
        }
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        String resource = type.id().toString();
        ObjectNode seen = after == null ? before : after;
        if (after != null) {
            look(resource, name(after));
        }
        if (!resource.equals(PODS) && !works.containsKey(resource)) {
            return;
        }
        String namespace = Json.text(seen, "metadata", "namespace");
        for (JsonNode owner : Json.items(seen, "metadata", "ownerReferences")) {
            String ownerResource = OWNERS.get(Json.text(owner, "kind"));
            if (ownerResource != null) {
                look(ownerResource, new ObjectName(namespace, Json.text(owner, "name")));
            }
        }
        if (resource.equals(PODS) && after == null && works.containsKey(CLAIMS)) {
            lookAll(CLAIMS, namespace);
        }
        if (resource.equals(PODS) && works.containsKey(SERVICES)) {
            lookAll(SERVICES, namespace);
        }
    }

    private void lookAll(String resource, String namespace) {
        access.store()
                .list(new ResourceId("", resource), ListQuery.all(namespace))
                .items()
                .forEach(object -> look(resource, object.name()));
    }

    private static ObjectName name(ObjectNode object) {
        return new ObjectName(Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
    }

    private void look(String resource, ObjectName name) {
        Simulation work = works.get(resource);
        Task task = new Task(resource, name);
        if (work != null && waiting.add(task)) {
            background.accept(() -> {
                waiting.remove(task);
                work.sync(name);
            });
        }
    }
}
