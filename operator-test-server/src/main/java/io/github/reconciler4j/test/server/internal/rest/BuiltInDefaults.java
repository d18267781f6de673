package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.rules.BuiltInRules;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** Values that the server fills in for built-in kinds. */
final class BuiltInDefaults {
    private static final String CUSTOM_CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private BuiltInDefaults() {}

    /** Fill in what depends on the object alone, whenever the server reads one. */
    static void complete(ResourceType type, ObjectNode object) {
        PodDefaults.complete(type, object);
        switch (type.id().toString()) {
            case "services" -> ServiceDefaults.complete(object);
            case "secrets" -> secret(object);
            case "limitranges" -> limits(object);
            case "priorityclasses.scheduling.k8s.io" -> {
                object.putIfAbsent("preemptionPolicy", TextNode.valueOf("PreemptLowerPriority"));
            }
            case "nodes" -> {
                JsonNode capacity = Json.at(object, "status", "capacity");
                if (capacity != null) {
                    setMissing(Json.child(object, "status"), "allocatable", capacity);
                }
            }
            case "jobs.batch" -> JobDefaults.complete(object);
            case "replicationcontrollers" -> replicationController(object);
            case "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io" -> {
                if (Json.text(object, "roleRef", "apiGroup").isEmpty()) {
                    Json.child(object, "roleRef").put("apiGroup", "rbac.authorization.k8s.io");
                }
            }
            case "daemonsets.apps" -> {
                Json.child(Json.metadata(object), "annotations")
                        .putIfAbsent(TEMPLATE_GENERATION, TextNode.valueOf("1"));
            }
            case "networkpolicies.networking.k8s.io" -> policyTypes(Json.child(object, "spec"));
            case "namespaces" -> {
                String name = Json.text(object, "metadata", "name");
                if (!name.isEmpty()) {
                    Json.child(Json.metadata(object), "labels").put("kubernetes.io/metadata.name", name);
                }
            }
            case "customresourcedefinitions.apiextensions.k8s.io" -> definition(object);
            default -> {}
        }
    }

    private static void replicationController(ObjectNode object) {
        JsonNode labels = Json.at(object, "spec", "template", "metadata", "labels");
        if (labels != null) {
            setMissing(Json.metadata(object), "labels", labels);
            setMissing(Json.child(object, "spec"), "selector", labels);
        }
    }

    /** Fill in what only new objects get. */
    static void onCreate(ResourceType type, ObjectNode object) {
        switch (type.id().toString()) {
            case "namespaces" -> {
                addFinalizer(Json.child(object, "spec"), "kubernetes");
                Json.child(object, "status").put("phase", "Active");
            }
            case "pods" -> {
                Json.child(object, "status").put("phase", "Pending").put("qosClass", qosClass(object));
            }
            case "nodes" -> {
                ObjectNode taint = Json.object().put("key", "node.kubernetes.io/not-ready");
                Json.child(object, "spec").withArray("taints").add(taint.put("effect", "NoSchedule"));
            }
            case "persistentvolumes", "persistentvolumeclaims" -> volume(type, object);
            case "services" -> ServiceDefaults.allocate(object);
            case "jobs.batch" -> JobDefaults.onCreate(object);
            case "customresourcedefinitions.apiextensions.k8s.io" -> storedVersions(object);
            default -> {}
        }
    }

    private static void volume(ResourceType type, ObjectNode object) {
        ObjectNode status = Json.child(object, "status").put("phase", "Pending");
        boolean claim = type.plural().equals("persistentvolumeclaims");
        if (!claim) {
            status.set("lastPhaseTransitionTime", Json.at(object, "metadata", "creationTimestamp"));
        }
        addFinalizer(Json.metadata(object), "kubernetes.io/" + (claim ? "pvc" : "pv") + "-protection");
        if (claim) {
            sources(Json.child(object, "spec"));
        }
    }

    /** What fills a volume is in two fields, of which the old one knows two kinds; other namespaces need a feature. */
    private static void sources(ObjectNode spec) {
        JsonNode old = spec.path("dataSource");
        String kind = Json.text(old, "apiGroup") + "/" + Json.text(old, "kind");
        if (!List.of("/PersistentVolumeClaim", "snapshot.storage.k8s.io/VolumeSnapshot")
                .contains(kind)) {
            spec.remove("dataSource");
        }
        if (!Json.text(spec, "dataSourceRef", "namespace").isEmpty()) {
            spec.remove("dataSourceRef");
        }
        if (spec.has("dataSource")) {
            setMissing(spec, "dataSourceRef", spec.path("dataSource"));
        } else if (spec.has("dataSourceRef")) {
            setMissing(spec, "dataSource", spec.path("dataSourceRef"));
        }
    }

    private static void addFinalizer(ObjectNode holder, String finalizer) {
        List<String> finalizers = new ArrayList<>(Json.texts(holder, "finalizers"));
        if (!finalizers.contains(finalizer)) {
            finalizers.add(finalizer);
        }
        holder.set("finalizers", Json.strings(finalizers));
    }

    private static void secret(ObjectNode object) {
        ObjectNode texts = Json.objectAt(object, "stringData");
        if (texts != null) {
            ObjectNode data = Json.child(object, "data");
            texts.properties()
                    .forEach(text ->
                            data.put(text.getKey(), base64(text.getValue().asText())));
            object.remove("stringData");
        }
    }

    /** The limits of containers are their defaults, too: each of these maps completes the next one. */
    private static void limits(ObjectNode object) {
        for (JsonNode limit : Json.items(object, "spec", "limits")) {
            if (Json.text(limit, "type").equals("Container")) {
                addMissing((ObjectNode) limit, "max", "default");
                addMissing((ObjectNode) limit, "default", "defaultRequest");
                addMissing((ObjectNode) limit, "min", "defaultRequest");
            }
        }
    }

    private static void addMissing(ObjectNode holder, String from, String to) {
        Json.stringMap(holder, from).forEach((name, amount) -> {
            if (!holder.path(to).has(name)) {
                Json.child(holder, to).put(name, amount);
            }
        });
    }

    private static void setMissing(ObjectNode holder, String field, JsonNode value) {
        if (holder.path(field).isEmpty()) {
            holder.set(field, value.deepCopy());
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void policyTypes(ObjectNode spec) {
        if (!spec.has("policyTypes")) {
            spec.putArray("policyTypes").add("Ingress");
            if (!Json.items(spec, "egress").isEmpty()) {
                spec.withArray("policyTypes").add("Egress");
            }
        }
    }

    static void onUpdate(ResourceType type, ObjectNode object, ObjectNode before) {
        switch (type.id().toString()) {
            case "namespaces" ->
                Json.child(object, "spec")
                        .set("finalizers", Json.child(before, "spec").withArray("finalizers"));
            case "services" -> ServiceDefaults.carryOver(object, before);
            case "daemonsets.apps" -> {
                boolean isSame = Json.same(object.at("/spec/template"), before.at("/spec/template"));
                long generation = Long.parseLong(Json.text(before, "metadata", "annotations", TEMPLATE_GENERATION));
                Json.child(Json.metadata(object), "annotations")
                        .put(TEMPLATE_GENERATION, Long.toString(isSame ? generation : generation + 1));
            }
            case "customresourcedefinitions.apiextensions.k8s.io" -> storedVersions(object);
            default -> {}
        }
    }

    /** A write of a Deployment's status leaves its labels alone, as those of no other kind. */
    static void onStatus(ResourceType type, ObjectNode object, ObjectNode before) {
        if (type.is("apps", "deployments")) {
            Json.setOrRemove(Json.metadata(object), "labels", Json.at(before, "metadata", "labels"));
        }
    }

    /** Add the finalizers that the server itself wants for kinds that hold other objects. */
    static void onDelete(ResourceType type, ObjectNode object) {
        if (type.is("apiextensions.k8s.io", "customresourcedefinitions")
                && Json.at(object, "metadata", "deletionTimestamp") == null) {
            addFinalizer(Json.metadata(object), CUSTOM_CLEANUP);
        }
    }

    private static void definition(ObjectNode object) {
        ObjectNode spec = Json.child(object, "spec");
        ObjectNode names = Json.child(spec, "names");
        String kind = Json.text(names, "kind");
        if (kind.isEmpty()) {
            return;
        }
        if (Json.text(names, "singular").isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (Json.text(names, "listKind").isEmpty()) {
            names.put("listKind", kind + "List");
        }
    }

    private static void storedVersions(ObjectNode object) {
        ObjectNode spec = Json.child(object, "spec");
        ObjectNode status = Json.child(object, "status");
        List<String> stored = new ArrayList<>(Json.texts(status, "storedVersions"));
        for (JsonNode version : Json.items(spec, "versions")) {
            String name = Json.text(version, "name");
            if (version.path("storage").asBoolean() && !stored.contains(name)) {
                stored.add(name);
            }
        }
        status.set("storedVersions", Json.strings(stored));
    }

    /** Return the quality of service of a pod, which follows from its requests and limits. */
    static String qosClass(JsonNode pod) {
        List<JsonNode> containers = new ArrayList<>(Json.items(pod, "spec", "containers"));
        containers.addAll(Json.items(pod, "spec", "initContainers"));
        boolean any = false;
        boolean all = true;
        for (JsonNode container : containers) {
            JsonNode requests = container.path("resources").path("requests");
            JsonNode limits = container.path("resources").path("limits");
            for (String resource : List.of("cpu", "memory")) {
                any |= requests.has(resource) || limits.has(resource);
                all &= limits.has(resource) && Json.same(requests.path(resource), limits.path(resource));
            }
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }

    /** Values that the server fills into jobs. */
    private static final class JobDefaults {
        private static final int BACKOFF_LIMIT = 6;

        private JobDefaults() {}

        static void complete(ObjectNode job) {
            ObjectNode spec = Json.child(job, "spec");
            if (!spec.has("completions") && !spec.has("parallelism")) {
                spec.put("completions", 1);
            }
            spec.putIfAbsent("parallelism", IntNode.valueOf(1));
            if (!spec.has("backoffLimit")) {
                spec.put("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : BACKOFF_LIMIT);
            }
            spec.putIfAbsent("completionMode", TextNode.valueOf("NonIndexed"));
            spec.putIfAbsent("manualSelector", BooleanNode.FALSE);
            spec.putIfAbsent("suspend", BooleanNode.FALSE);
            if (!spec.has("podReplacementPolicy")) {
                spec.put("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
            }
            ObjectNode labels = Json.objectAt(spec, "template", "metadata", "labels");
            if (labels != null && Json.objectAt(job, "metadata", "labels") == null) {
                Json.metadata(job).set("labels", labels.deepCopy());
            }
        }

        /** Create the selector of a new job without a selector, and label its pods accordingly. */
        static void onCreate(ObjectNode job) {
            ObjectNode spec = Json.child(job, "spec");
            if (spec.path("manualSelector").asBoolean() || spec.has("selector")) {
                return;
            }
            String uid = Json.text(job, "metadata", "uid");
            String name = Json.text(job, "metadata", "name");
            boolean sameLabels = Json.stringMap(job, "metadata", "labels")
                    .equals(Json.stringMap(spec, "template", "metadata", "labels"));
            ObjectNode labels = Json.child(Json.metadata(Json.child(spec, "template")), "labels");
            labels.put("controller-uid", uid).put("batch.kubernetes.io/controller-uid", uid);
            labels.put("job-name", name).put("batch.kubernetes.io/job-name", name);
            if (sameLabels) {
                Json.child(Json.metadata(job), "labels").setAll(labels);
            }
            Json.child(Json.child(spec, "selector"), "matchLabels").put("batch.kubernetes.io/controller-uid", uid);
        }
    }

    /** Values that the server fills into pods and templates of pods, as far as they depend on other values. */
    private static final class PodDefaults {
        private PodDefaults() {}

        static void complete(ResourceType type, ObjectNode object) {
            String[] template = BuiltInRules.podTemplate(type.id().toString());
            if (template == null || !(Json.at(Json.at(object, template), "spec") instanceof ObjectNode spec)) {
                return;
            }
            boolean pod = template.length == 0;
            for (String field : List.of("containers", "initContainers", "ephemeralContainers")) {
                for (JsonNode container : Json.items(spec, field)) {
                    container(spec, (ObjectNode) container, pod);
                }
            }
            accounts(spec);
            for (JsonNode volume : Json.items(spec, "volumes")) {
                if (volume.size() == 1 && volume.has("name")) {
                    ((ObjectNode) volume).putObject("emptyDir");
                }
            }
            if (pod && !spec.has("enableServiceLinks")) {
                spec.put("enableServiceLinks", true);
            }
        }

        private static void accounts(ObjectNode spec) {
            String name = Json.text(spec, "serviceAccountName");
            String deprecated = Json.text(spec, "serviceAccount");
            String account = name.isEmpty() ? deprecated : name;
            if (!account.isEmpty()) {
                spec.put("serviceAccountName", account).put("serviceAccount", account);
            }
        }

        private static void container(ObjectNode spec, ObjectNode container, boolean pod) {
            if (!container.has("imagePullPolicy")) {
                container.put("imagePullPolicy", isLatest(Json.text(container, "image")) ? "Always" : "IfNotPresent");
            }
            if (pod && spec.path("hostNetwork").asBoolean()) {
                for (JsonNode port : Json.items(container, "ports")) {
                    if (!port.has("hostPort")) {
                        ((ObjectNode) port).set("hostPort", port.get("containerPort"));
                    }
                }
            }
            ObjectNode limits = Json.objectAt(container, "resources", "limits");
            if (pod && limits != null) {
                ObjectNode requests = Json.child(Json.child(container, "resources"), "requests");
                limits.properties().forEach(limit -> {
                    if (!requests.has(limit.getKey())) {
                        requests.set(limit.getKey(), limit.getValue());
                    }
                });
            }
        }

        /** Return whether an image has no tag, or the one that always moves. */
        private static boolean isLatest(String image) {
            if (image.contains("@")) {
                return false;
            }
            int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
            return colon < 0
                    || image.substring(colon + 1).toLowerCase(Locale.ROOT).equals("latest");
        }
    }
}
