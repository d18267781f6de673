package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Simulates the controllers of Deployments, ReplicaSets, StatefulSets with their claims, and Jobs. They create all pods at
 * once. Stateless; for use by one thread at a time.
 */
final class Workloads {
    private static final String HASH = "pod-template-hash";
    private static final String REVISION = "controller-revision-hash";
    private static final String PROTECTION = "kubernetes.io/pvc-protection";

    private final SimulatedObjects objects;

    Workloads(SimulatedObjects objects) {
        this.objects = objects;
    }

    private static ObjectNode pod(ObjectNode owner, String name) {
        JsonNode template = owner.path("spec").path("template");
        ObjectNode pod = SimulatedObjects.owned(owner, "v1", "Pod", name);
        for (String field : List.of("labels", "annotations")) {
            Json.setOrRemove(Json.metadata(pod), field, Json.at(template, "metadata", field));
        }
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    private static String hash(ObjectNode owner) {
        return Integer.toHexString(Arrays.hashCode(Json.bytes(Json.path(owner, "spec", "template"))));
    }

    private static long replicas(ObjectNode owner) {
        return Json.number(owner, 1, "spec", "replicas");
    }

    private static long sum(List<ObjectNode> sets, String field) {
        return sets.stream()
                .mapToLong(set -> Json.number(set, 0, "status", field))
                .sum();
    }

    private static long ready(List<ObjectNode> pods) {
        return pods.stream().filter(SimulatedObjects::isReady).count();
    }

    /** A Deployment has a ReplicaSet for each of its templates; that of the current one has all replicas. */
    void deployment(ObjectName name) {
        ObjectNode deployment = objects.find(SimulatedObjects.DEPLOYMENTS, name);
        if (deployment == null) {
            return;
        }
        String current = name.name() + "-" + hash(deployment);
        if (!deployment.at("/spec/paused").asBoolean()) {
            roll(deployment, current);
        }
        List<ObjectNode> sets = objects.ownedBy(deployment, SimulatedObjects.REPLICA_SETS);
        objects.updateStatus(SimulatedObjects.DEPLOYMENTS, name, status -> {
            List<ObjectNode> newest = sets.stream()
                    .filter(set -> SimulatedObjects.name(set).name().equals(current))
                    .toList();
            long wanted = replicas(deployment);
            long available = sum(sets, "availableReplicas");
            long updated = sum(newest, "replicas");
            status.put("observedGeneration", Json.number(deployment, 0, "metadata", "generation"))
                    .put("replicas", sum(sets, "replicas"))
                    .put("updatedReplicas", updated)
                    .put("readyReplicas", sum(sets, "readyReplicas"))
                    .put("availableReplicas", available)
                    .put("unavailableReplicas", Math.max(0, wanted - available));
            boolean isAvailable = available >= wanted;
            objects.condition(
                    status,
                    "Available",
                    isAvailable,
                    isAvailable ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable");
            boolean isComplete = updated == wanted && available == wanted;
            objects.condition(status, "Progressing", true, isComplete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated");
        });
    }

    private void roll(ObjectNode deployment, String current) {
        List<ObjectNode> sets = objects.ownedBy(deployment, SimulatedObjects.REPLICA_SETS);
        if (sets.stream().noneMatch(set -> SimulatedObjects.name(set).name().equals(current))) {
            ObjectNode set = SimulatedObjects.owned(deployment, "apps/v1", "ReplicaSet", current);
            String hash = hash(deployment);
            ObjectNode spec = set.putObject("spec").put("replicas", replicas(deployment));
            spec.set("selector", deployment.at("/spec/selector").deepCopy());
            spec.set("template", deployment.at("/spec/template").deepCopy());
            Json.child(Json.child(spec, "selector"), "matchLabels").put(HASH, hash);
            ObjectNode labels = Json.child(Json.metadata(Json.child(spec, "template")), "labels");
            labels.put(HASH, hash);
            Json.metadata(set).set("labels", labels.deepCopy());
            objects.create(SimulatedObjects.REPLICA_SETS, set);
        }
        for (ObjectNode set : sets) {
            ObjectName name = SimulatedObjects.name(set);
            long wanted = name.name().equals(current) ? replicas(deployment) : 0;
            if (replicas(set) != wanted) {
                objects.update(
                        SimulatedObjects.REPLICA_SETS,
                        name,
                        object -> Json.child(object, "spec").put("replicas", wanted));
            }
        }
    }

    void replicaSet(ObjectName name) {
        ObjectNode set = objects.find(SimulatedObjects.REPLICA_SETS, name);
        if (set == null) {
            return;
        }
        List<ObjectNode> pods = livingPods(set);
        for (long i = pods.size(); i < replicas(set); i++) {
            objects.create(SimulatedObjects.PODS, pod(set, name.name() + "-"));
        }
        pods.stream().skip(replicas(set)).forEach(pod -> objects.delete(SimulatedObjects.PODS, pod));
        List<ObjectNode> now = livingPods(set);
        objects.updateStatus(
                SimulatedObjects.REPLICA_SETS,
                name,
                status -> status.put("observedGeneration", Json.number(set, 0, "metadata", "generation"))
                        .put("replicas", now.size())
                        .put("fullyLabeledReplicas", now.size())
                        .put("readyReplicas", ready(now))
                        .put("availableReplicas", ready(now)));
    }

    private List<ObjectNode> livingPods(ObjectNode set) {
        return objects.ownedBy(set, SimulatedObjects.PODS).stream()
                .filter(pod -> !isOver(pod))
                .toList();
    }

    private static boolean isOver(ObjectNode pod) {
        return List.of("Succeeded", "Failed").contains(Json.text(pod, "status", "phase"));
    }

    /** A StatefulSet has numbered pods of its current template, and a claim of each pod for each claim template. */
    void statefulSet(ObjectName name) {
        ObjectNode set = objects.find(SimulatedObjects.STATEFUL_SETS, name);
        if (set == null) {
            return;
        }
        String revision = name.name() + "-" + hash(set);
        Set<String> wanted = IntStream.range(0, (int) replicas(set))
                .mapToObj(number -> name.name() + "-" + number)
                .collect(Collectors.toSet());
        for (ObjectNode pod : objects.ownedBy(set, SimulatedObjects.PODS)) {
            if (!wanted.contains(SimulatedObjects.name(pod).name()) || !isOf(pod, revision)) {
                objects.delete(SimulatedObjects.PODS, pod);
            }
        }
        wanted.forEach(pod -> createNumbered(set, pod, revision));
        List<ObjectNode> pods = objects.ownedBy(set, SimulatedObjects.PODS);
        long updated = pods.stream().filter(pod -> isOf(pod, revision)).count();
        objects.updateStatus(
                SimulatedObjects.STATEFUL_SETS,
                name,
                status -> status.put("observedGeneration", Json.number(set, 0, "metadata", "generation"))
                        .put("replicas", pods.size())
                        .put("readyReplicas", ready(pods))
                        .put("availableReplicas", ready(pods))
                        .put("currentReplicas", updated)
                        .put("updatedReplicas", updated)
                        .put("currentRevision", revision)
                        .put("updateRevision", revision)
                        .put("collisionCount", 0));
    }

    private static boolean isOf(ObjectNode pod, String revision) {
        return Json.text(pod, "metadata", "labels", REVISION).equals(revision);
    }

    private void createNumbered(ObjectNode set, String name, String revision) {
        ObjectNode pod = pod(set, name);
        Json.child(Json.metadata(pod), "labels")
                .put(REVISION, revision)
                .put("statefulset.kubernetes.io/pod-name", name);
        ObjectNode spec = Json.child(pod, "spec").put("hostname", name);
        spec.put("subdomain", Json.text(set, "spec", "serviceName"));
        for (JsonNode template : Json.items(set, "spec", "volumeClaimTemplates")) {
            String volume = Json.text(template, "metadata", "name");
            String claim = volume + "-" + name;
            spec.withArray("volumes")
                    .addObject()
                    .put("name", volume)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", claim);
            objects.create(SimulatedObjects.CLAIMS, claim(set, template, claim));
        }
        objects.create(SimulatedObjects.PODS, pod);
    }

    /** Return the claim of a pod. It has no owner, so that it outlives the set. */
    private static ObjectNode claim(ObjectNode set, JsonNode template, String name) {
        ObjectNode claim = Json.object().put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
        ObjectNode metadata = Json.metadata(claim).put("name", name);
        metadata.put("namespace", Json.text(set, "metadata", "namespace"));
        Json.setOrRemove(metadata, "labels", Json.at(set, "spec", "selector", "matchLabels"));
        claim.set("spec", template.path("spec").deepCopy());
        return claim;
    }

    /** Claims are bound at once, to volumes that do not exist as objects. Deleted claims go when no pod uses them. */
    void claim(ObjectName name) {
        ObjectNode claim = objects.find(SimulatedObjects.CLAIMS, name);
        if (claim == null) {
            if (!isUsed(name)) {
                objects.update(SimulatedObjects.CLAIMS, name, Workloads::unprotect);
            }
            return;
        }
        if (Json.text(claim, "spec", "volumeName").isEmpty()) {
            String volume = "pvc-" + Json.text(claim, "metadata", "uid");
            objects.update(
                    SimulatedObjects.CLAIMS,
                    name,
                    object -> Json.child(object, "spec").put("volumeName", volume));
        }
        objects.updateStatus(SimulatedObjects.CLAIMS, name, status -> {
            status.put("phase", "Bound");
            Json.setOrRemove(status, "accessModes", Json.at(claim, "spec", "accessModes"));
            Json.setOrRemove(status, "capacity", Json.at(claim, "spec", "resources", "requests"));
        });
    }

    private boolean isUsed(ObjectName claim) {
        return objects.list(SimulatedObjects.PODS, claim.namespace(), labels -> true).stream()
                .flatMap(pod -> Json.items(pod, "spec", "volumes").stream())
                .anyMatch(volume ->
                        Json.text(volume, "persistentVolumeClaim", "claimName").equals(claim.name()));
    }

    private static void unprotect(ObjectNode claim) {
        List<String> kept = Json.texts(claim, "metadata", "finalizers").stream()
                .filter(finalizer -> !finalizer.equals(PROTECTION))
                .toList();
        Json.metadata(claim).set("finalizers", Json.strings(kept));
    }

    /** A Job is complete when enough of its pods have succeeded. */
    void job(ObjectName name) {
        ObjectNode job = objects.find(SimulatedObjects.JOBS, name);
        if (job == null
                || job.at("/spec/suspend").asBoolean()
                || !Json.text(job, "status", "completionTime").isEmpty()) {
            return;
        }
        long wanted = Json.number(job, Json.number(job, 1, "spec", "parallelism"), "spec", "completions");
        for (long i = objects.ownedBy(job, SimulatedObjects.PODS).size(); i < wanted; i++) {
            objects.create(SimulatedObjects.PODS, pod(job, name.name() + "-"));
        }
        List<ObjectNode> pods = objects.ownedBy(job, SimulatedObjects.PODS);
        long succeeded = pods.stream().filter(Workloads::isOver).count();
        objects.updateStatus(SimulatedObjects.JOBS, name, status -> {
            if (!status.has("startTime")) {
                status.put("startTime", objects.now());
            }
            status.put("active", pods.size() - succeeded)
                    .put("succeeded", succeeded)
                    .put("ready", 0);
            if (succeeded >= wanted) {
                status.put("completionTime", objects.now());
                objects.condition(status, "SuccessCriteriaMet", true, "CompletionsReached");
                objects.condition(status, "Complete", true, "CompletionsReached");
            }
        });
    }

    /** A Service with a selector has an EndpointSlice of its name with the addresses of the ready pods. */
    void service(ObjectName name) {
        ObjectNode service = objects.find(SimulatedObjects.SERVICES, name);
        JsonNode selector = Json.path(service, "spec", "selector");
        if (service == null || selector.isEmpty()) {
            return;
        }
        if (objects.find(SimulatedObjects.SLICES, name) == null) {
            ObjectNode slice = SimulatedObjects.owned(service, "discovery.k8s.io/v1", "EndpointSlice", name.name());
            Json.child(Json.metadata(slice), "labels").put("kubernetes.io/service-name", name.name());
            slice.put("addressType", "IPv4").putArray("endpoints");
            objects.create(SimulatedObjects.SLICES, slice);
        }
        objects.update(SimulatedObjects.SLICES, name, slice -> {
            slice.putArray("endpoints")
                    .addAll(objects.selectedPods(name.namespace(), selector).stream()
                            .filter(SimulatedObjects::isReady)
                            .map(Workloads::endpoint)
                            .toList());
            slice.putArray("ports")
                    .addAll(Json.items(service, "spec", "ports").stream()
                            .map(Workloads::port)
                            .toList());
        });
    }

    private static ObjectNode endpoint(ObjectNode pod) {
        ObjectNode endpoint = Json.object();
        endpoint.putArray("addresses").add(Json.text(pod, "status", "podIP"));
        endpoint.putObject("conditions").put("ready", true).put("serving", true).put("terminating", false);
        endpoint.putObject("targetRef")
                .put("kind", "Pod")
                .put("namespace", Json.text(pod, "metadata", "namespace"))
                .put("name", Json.text(pod, "metadata", "name"))
                .put("uid", Json.text(pod, "metadata", "uid"));
        return endpoint;
    }

    /** Return a port that is given by name is taken to have the number of the service. */
    private static ObjectNode port(JsonNode port) {
        boolean isNumber = port.path("targetPort").isNumber();
        return Json.object()
                .put("name", Json.text(port, "name"))
                .put("port", port.path(isNumber ? "targetPort" : "port").asLong())
                .put("protocol", port.path("protocol").asText("TCP"));
    }
}
