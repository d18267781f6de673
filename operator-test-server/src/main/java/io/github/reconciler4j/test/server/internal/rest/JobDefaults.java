package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;

/** Values that the server fills into jobs. */
final class JobDefaults {
    private static final int BACKOFF_LIMIT = 6;

    private JobDefaults() {}

    static void complete(ObjectNode job) {
        ObjectNode spec = Json.child(job, "spec");
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1);
        }
        putMissing(spec, "parallelism", 1);
        if (!spec.has("backoffLimit")) {
            spec.put("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : BACKOFF_LIMIT);
        }
        if (!spec.has("completionMode")) {
            spec.put("completionMode", "NonIndexed");
        }
        if (!spec.has("manualSelector")) {
            spec.put("manualSelector", false);
        }
        if (!spec.has("suspend")) {
            spec.put("suspend", false);
        }
        if (!spec.has("podReplacementPolicy")) {
            spec.put("podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        }
        ObjectNode labels = Json.objectAt(spec, "template", "metadata", "labels");
        if (labels != null && Json.objectAt(job, "metadata", "labels") == null) {
            Json.metadata(job).set("labels", labels.deepCopy());
        }
    }

    private static void putMissing(ObjectNode object, String field, int value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }

    /** Makes the selector of a new job that has none of its own, and labels its pods so that it fits. */
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
