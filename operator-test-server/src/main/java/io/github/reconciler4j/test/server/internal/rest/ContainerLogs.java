package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.PodLogs;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Answers requests for the logs of containers: selects the container as kube-apiserver does, checks its status as a kubelet does,
 * and takes the text from outside. A log that is followed ends at once. Safe for use by multiple threads.
 */
final class ContainerLogs {
    private static final List<String> SPECS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> STATUSES =
            List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

    private final ObjectAccess access;
    private final Supplier<PodLogs> logs;

    ContainerLogs(ObjectAccess access, Supplier<PodLogs> logs) {
        this.access = access;
        this.logs = logs;
    }

    Response read(Call call) {
        ObjectName name = call.object();
        ObjectNode pod = access.find(call.type(), name);
        if (pod == null) {
            throw StatusException.notFound("", "pods", name.name());
        }
        Query query = call.request().query();
        String container = container(query.first("container"), pod, name.name());
        String node = Json.text(pod, "spec", "nodeName");
        if (node.isEmpty()) {
            return Response.text(200, "");
        }
        if (access.find(Objects.requireNonNull(access.registry().find("", "v1", "nodes")), new ObjectName("", node))
                == null) {
            throw StatusException.notFound("", "nodes", node);
        }
        checkStatus(pod, name.name(), container, query.isTrue("previous"));
        return Response.text(200, part(logs.get().text(name.namespace(), name.name(), container), query));
    }

    private static String container(String wanted, ObjectNode pod, String name) {
        List<String> all = new ArrayList<>();
        SPECS.forEach(
                part -> Json.items(pod, "spec", part).forEach(container -> all.add(Json.text(container, "name"))));
        if (!wanted.isEmpty()) {
            if (!all.contains(wanted)) {
                throw StatusException.badRequest("container " + wanted + " is not valid for pod " + name);
            }
            return wanted;
        }
        List<JsonNode> containers = Json.items(pod, "spec", "containers");
        if (containers.size() != 1) {
            throw StatusException.badRequest("a container name must be specified for pod " + name + ", choose one of: ["
                    + String.join(" ", all) + "]");
        }
        return Json.text(containers.get(0), "name");
    }

    /** A container that has not started has no log, and one that has never ended has no previous one. */
    private static void checkStatus(ObjectNode pod, String podName, String container, boolean previous) {
        String which = "container \"" + container + "\" in pod \"" + podName + "\" is ";
        JsonNode status = STATUSES.stream()
                .flatMap(part -> Json.items(pod, "status", part).stream())
                .filter(one -> Json.text(one, "name").equals(container))
                .findFirst()
                .orElseThrow(() -> StatusException.badRequest(which + "not available"));
        boolean hasEnded = Json.at(status, "lastState", "terminated") != null;
        if (previous) {
            if (!hasEnded) {
                throw StatusException.badRequest(
                        "previous terminated container \"" + container + "\" in pod \"" + podName + "\" not found");
            }
            return;
        }
        boolean hasStarted = hasEnded
                || Json.at(status, "state", "running") != null
                || Json.at(status, "state", "terminated") != null;
        if (!hasStarted) {
            String reason = Json.text(status, "state", "waiting", "reason");
            String why = reason.equals("ErrImagePull")
                    ? "image can't be pulled"
                    : reason.equals("ImagePullBackOff") ? "trying and failing to pull image" : reason;
            throw StatusException.badRequest(which + "waiting to start: " + why);
        }
    }

    private static String part(String text, Query query) {
        String shown = query.has("tailLines") ? tail(text, query.number("tailLines")) : text;
        if (!query.has("limitBytes")) {
            return shown;
        }
        byte[] bytes = shown.getBytes(StandardCharsets.UTF_8);
        int limit = (int) Math.min(bytes.length, Math.max(0, query.number("limitBytes")));
        return new String(Arrays.copyOf(bytes, limit), StandardCharsets.UTF_8);
    }

    private static String tail(String text, long lines) {
        List<String> all = text.lines().toList();
        return String.join(
                "",
                all.stream()
                        .skip(Math.max(0, all.size() - Math.max(0, lines)))
                        .map(line -> line + "\n")
                        .toList());
    }
}
