package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.Cells.flag;
import static io.github.reconciler4j.test.server.internal.render.Cells.items;
import static io.github.reconciler4j.test.server.internal.render.Cells.number;
import static io.github.reconciler4j.test.server.internal.render.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Columns of pods. */
final class PodColumns implements Columns {
    private static final ColumnTable REST = ColumnTable.empty()
            .age()
            .wide()
            .text("IP", pod -> orNone(pod, "status.podIP"))
            .text("Node", pod -> orNone(pod, "spec.nodeName"))
            .text("Nominated Node", pod -> orNone(pod, "status.nominatedNodeName"))
            .text("Readiness Gates", PodColumns::gates);

    @Override
    public List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(PlainColumns.NAME);
        columns.add(Column.of("Ready", "string"));
        columns.add(Column.of("Status", "string"));
        columns.add(Column.of("Restarts", "string"));
        columns.addAll(REST.columns());
        return columns;
    }

    @Override
    public List<JsonNode> cells(ObjectNode pod, Instant now) {
        PodState state = PodState.of(pod);
        String restarts = Long.toString(state.restarts());
        if (state.restarts() > 0 && !state.lastRestart().isEmpty()) {
            restarts += " (" + Ages.since(state.lastRestart(), now) + " ago)";
        }
        List<JsonNode> cells = new ArrayList<>();
        cells.add(TextNode.valueOf(text(pod, "metadata.name")));
        cells.add(TextNode.valueOf(state.ready() + "/" + state.containers()));
        cells.add(TextNode.valueOf(state.reason()));
        cells.add(TextNode.valueOf(restarts));
        cells.addAll(REST.cells(pod, now));
        return cells;
    }

    private static String orNone(ObjectNode pod, String path) {
        String value = text(pod, path);
        return value.isEmpty() ? Cells.NONE : value;
    }

    private static String gates(ObjectNode pod) {
        List<JsonNode> gates = items(pod, "spec.readinessGates");
        if (gates.isEmpty()) {
            return Cells.NONE;
        }
        long open = gates.stream()
                .filter(gate -> Cells.hasCondition(pod, text(gate, "conditionType")))
                .count();
        return open + "/" + gates.size();
    }

    /**
     * What a pod's containers amount to.
     *
     * @param ready how many containers are ready
     * @param containers how many there are
     * @param reason one word for the state
     * @param restarts how often containers were started again
     * @param lastRestart when that was for the last time; may be empty
     */
    private record PodState(long ready, long containers, String reason, long restarts, String lastRestart) {
        static PodState of(ObjectNode pod) {
            List<JsonNode> statuses = items(pod, "status.containerStatuses");
            long ready = statuses.stream()
                    .filter(status -> flag(status, "ready") && Cells.at(status, "state.running") != null)
                    .count();
            long restarts = statuses.stream()
                    .mapToLong(status -> number(status, "restartCount"))
                    .sum();
            return new PodState(
                    ready, Cells.size(pod, "spec.containers"), reason(pod, statuses), restarts, latest(statuses));
        }

        private static String latest(List<JsonNode> statuses) {
            return statuses.stream()
                    .map(status -> text(status, "lastState.terminated.finishedAt"))
                    .max(String::compareTo)
                    .orElse("");
        }

        private static String reason(ObjectNode pod, List<JsonNode> statuses) {
            String phase = text(pod, "status.phase");
            boolean deleting = !text(pod, "metadata.deletionTimestamp").isEmpty();
            boolean over = phase.equals("Succeeded") || phase.equals("Failed");
            if (deleting && !over) {
                return text(pod, "status.reason").equals("NodeLost") ? "Unknown" : "Terminating";
            }
            String initial = initial(pod);
            return initial.isEmpty() ? ofContainers(pod, statuses, own(pod, phase)) : initial;
        }

        private static String own(ObjectNode pod, String phase) {
            boolean gated = items(pod, "status.conditions").stream()
                    .anyMatch(condition -> text(condition, "type").equals("PodScheduled")
                            && text(condition, "reason").equals("SchedulingGated"));
            String reason = text(pod, "status.reason");
            return gated ? "SchedulingGated" : reason.isEmpty() ? phase : reason;
        }

        private static String initial(ObjectNode pod) {
            List<JsonNode> statuses = items(pod, "status.initContainerStatuses");
            for (int i = 0; i < statuses.size(); i++) {
                JsonNode status = statuses.get(i);
                boolean done = Cells.at(status, "state.terminated") != null
                        && number(status, "state.terminated.exitCode") == 0;
                if (!done && !flag(status, "started")) {
                    return "Init:" + whyInitial(status, i, Cells.size(pod, "spec.initContainers"));
                }
            }
            return "";
        }

        private static String whyInitial(JsonNode status, int index, int count) {
            if (Cells.at(status, "state.terminated") != null) {
                return ended(status);
            }
            String waiting = text(status, "state.waiting.reason");
            return waiting.isEmpty() || waiting.equals("PodInitializing") ? index + "/" + count : waiting;
        }

        private static String ended(JsonNode status) {
            String reason = text(status, "state.terminated.reason");
            long signal = number(status, "state.terminated.signal");
            if (!reason.isEmpty()) {
                return reason;
            }
            return signal != 0 ? "Signal:" + signal : "ExitCode:" + number(status, "state.terminated.exitCode");
        }

        private static String ofContainers(ObjectNode pod, List<JsonNode> statuses, String own) {
            String reason = own;
            String error = "";
            boolean runs = false;
            for (int i = statuses.size() - 1; i >= 0; i--) {
                JsonNode status = statuses.get(i);
                Function<String, String> of = path -> text(status, path);
                if (!of.apply("state.waiting.reason").isEmpty()) {
                    reason = of.apply("state.waiting.reason");
                } else if (Cells.at(status, "state.terminated") != null) {
                    reason = ended(status);
                    error = number(status, "state.terminated.exitCode") != 0 ? reason : error;
                } else if (flag(status, "ready") && Cells.at(status, "state.running") != null) {
                    runs = true;
                }
            }
            return reason.equals("Completed") ? completed(pod, runs, error) : reason;
        }

        private static String completed(ObjectNode pod, boolean runs, String error) {
            if (runs && Cells.hasCondition(pod, "Ready")) {
                return "Running";
            }
            return !error.isEmpty() ? error : runs ? "NotReady" : "Completed";
        }
    }
}
