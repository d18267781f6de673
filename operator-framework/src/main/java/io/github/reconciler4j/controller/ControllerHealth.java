package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Definition;
import io.github.reconciler4j.controller.internal.Engine;
import io.github.reconciler4j.controller.internal.VmFailures.VmFailure;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.reconcile.Request;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The health of a controller. It is alive unless a run is stuck beyond its limit or the JVM has failed under it, and ready
 * while it runs or stands by for its turn to come.
 */
final class ControllerHealth implements HealthCheck {

    private static final int MOST_SHOWN = 10;

    private static final Set<ControllerState> READY =
            EnumSet.of(ControllerState.NEW, ControllerState.WARMING, ControllerState.WARM, ControllerState.RUNNING);

    private final Controller<?> controller;
    private final Definition<?> definition;
    private final ControllerLifecycle<?> lifecycle;
    private final EngineSlot<?> slot;

    ControllerHealth(
            Controller<?> controller, Definition<?> definition, ControllerLifecycle<?> lifecycle, EngineSlot<?> slot) {
        this.controller = controller;
        this.definition = definition;
        this.lifecycle = lifecycle;
        this.slot = slot;
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
        if (!lifecycle.startFailure().isEmpty()) {
            details.put("startFailure", lifecycle.startFailure());
        }
        Engine<?> engine = slot.get();
        boolean stuck = engine != null && describe(engine, details);
        putRequests(details, "abandonedRuns", definition.abandonedRuns().requests());
        Optional<VmFailure> failure = definition.vmFailures().worst();
        failure.ifPresent(worst -> details.put("jvmFailure", worst.name() + " at " + worst.at()));
        boolean alive = !stuck && failure.filter(VmFailure::fatal).isEmpty();
        return new Health(alive, alive && READY.contains(state), details);
    }

    /** Whether runs are stuck. */
    private boolean describe(Engine<?> engine, Map<String, Object> details) {
        details.put("workers", controller.maxConcurrentReconciles());
        details.put("busy", engine.busy());
        details.put("queued", engine.queued());
        List<String> waitingFor = engine.waitingFor();
        if (!waitingFor.isEmpty()) {
            details.put("waitingFor", waitingFor);
        }
        List<Request> stuck = engine.stuck();
        putRequests(details, "stuck", stuck);
        return !stuck.isEmpty();
    }

    private static void putRequests(Map<String, Object> details, String key, List<Request> requests) {
        if (!requests.isEmpty()) {
            details.put(
                    key,
                    requests.stream().limit(MOST_SHOWN).map(Request::toString).toList());
            details.put(key + "Count", requests.size());
        }
    }
}
