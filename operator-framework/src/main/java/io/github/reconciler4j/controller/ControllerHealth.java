package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.ControllerDefinition;
import io.github.reconciler4j.controller.internal.ControllerRun;
import io.github.reconciler4j.controller.internal.VmFailures.VmFailure;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.reconcile.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The health of a controller.
 *
 * <p>It is alive unless a reconciliation for the cluster of the manager is stuck, the JVM has failed under it, or a thread of its
 * own has died. A restart would not help against another cluster that is slow, and would harm those that are not: a
 * reconciliation that is stuck there makes the controller of that cluster unavailable.
 *
 * <p>It is ready unless its first start is in progress. Readiness takes the whole process out of service, so a controller
 * that waits for a missing definition, whose start failed and is retried, that stands by, or that was stopped does not
 * change it: its state is in the details. A later start, as after a lost lease, does not change it either.
 */
record ControllerHealth(Controller<?> controller, ControllerDefinition<?> definition) implements HealthCheck {

    private static final int MAX_SHOWN = 10;

    @Override
    public String name() {
        return "controller/" + controller.name();
    }

    @Override
    public Health check() {
        ControllerState state = controller.state();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state.name());
        if (controller.operations().isPaused()) {
            details.put("paused", true);
        }
        if (!controller.startFailure().isEmpty()) {
            details.put("startFailure", controller.startFailure());
        }
        ControllerRun<?> run = controller.run();
        List<Request> stuck = run == null ? List.of() : run.stuck();
        boolean works = run == null || describe(run, details);
        putRequests(details, "stuck", stuck);
        putRequests(details, "abandonedRuns", definition.abandonedRuns().requests());
        Optional<VmFailure> failure = definition.vmFailures().worst();
        failure.ifPresent(worst -> details.put("jvmFailure", worst.name() + " at " + worst.at()));
        boolean stuckAtHome =
                stuck.stream().anyMatch(request -> request.cluster().isEmpty());
        boolean alive =
                works && !stuckAtHome && failure.filter(VmFailure::fatal).isEmpty();
        boolean starting = !controller.isSettled(state) && state == ControllerState.STARTING;
        boolean available = controller.cluster().isEmpty() || stuck.isEmpty();
        return new Health(alive, alive && available && !starting, details);
    }

    /** Add details, and return whether no thread has died. */
    private boolean describe(ControllerRun<?> run, Map<String, Object> details) {
        details.put("workers", controller.operations().maxConcurrentReconciles());
        details.put("busy", run.busy());
        details.put("queued", run.queued());
        List<String> waitingFor = run.waitingFor();
        if (!waitingFor.isEmpty()) {
            details.put("waitingFor", waitingFor);
        }
        Map<String, Integer> undelivered = run.undelivered();
        if (!undelivered.isEmpty()) {
            details.put("undelivered", undelivered);
        }
        List<String> busy = run.busyRequests().stream().map(Object::toString).toList();
        if (!busy.isEmpty()) {
            details.put("busyRequests", busy);
        }
        List<String> dead = run.deadThreads();
        if (!dead.isEmpty()) {
            details.put("deadThreads", dead);
        }
        return dead.isEmpty();
    }

    private static void putRequests(Map<String, Object> details, String key, List<Request> requests) {
        if (!requests.isEmpty()) {
            details.put(
                    key,
                    requests.stream().limit(MAX_SHOWN).map(Request::toString).toList());
            details.put(key + "Count", requests.size());
        }
    }
}
