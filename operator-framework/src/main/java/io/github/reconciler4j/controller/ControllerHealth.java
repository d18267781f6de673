package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Engine;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.reconcile.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The health of a controller. It is alive unless a run is stuck beyond its limit or the JVM has failed under it, and ready
 * while it runs or stands by for its turn to come.
 */
final class ControllerHealth implements HealthCheck {

    private static final int MOST_STUCK = 10;

    private final Controller<?> controller;

    ControllerHealth(Controller<?> controller) {
        this.controller = controller;
    }

    @Override
    public String name() {
        return "controller/" + controller.name();
    }

    @Override
    public Health check() {
        ControllerState state = controller.state();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", state.name());
        if (controller.isPaused()) {
            details.put("paused", true);
        }
        if (!controller.startFailure().isEmpty()) {
            details.put("startFailure", controller.startFailure());
        }
        Engine<?> engine = controller.engine();
        boolean stuck = engine != null && describe(engine, details, controller.maxConcurrentReconciles());
        controller
                .vmFailures()
                .worst()
                .ifPresent(failure -> details.put("jvmFailure", failure.name() + " at " + failure.at()));
        boolean broken = controller
                .vmFailures()
                .worst()
                .filter(failure -> failure.fatal())
                .isPresent();
        boolean alive = !stuck && !broken;
        boolean ready = state == ControllerState.RUNNING || state == ControllerState.NEW;
        return new Health(alive, ready && alive, details);
    }

    /** Whether runs are stuck. */
    private static boolean describe(Engine<?> engine, Map<String, Object> details, int workers) {
        details.put("workers", workers);
        details.put("busy", engine.busy());
        details.put("queued", engine.queued());
        List<String> waitingFor = engine.waitingFor();
        if (!waitingFor.isEmpty()) {
            details.put("waitingFor", waitingFor);
        }
        List<Request> stuck = engine.stuck();
        if (!stuck.isEmpty()) {
            details.put(
                    "stuck",
                    stuck.stream().limit(MOST_STUCK).map(Request::toString).toList());
            details.put("stuckCount", stuck.size());
        }
        return !stuck.isEmpty();
    }
}
