package io.github.reconciler4j.plan;

import io.github.reconciler4j.builder.ControllerCustomizers;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.ControllerState;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.plan.PlanReport.Counts;
import io.github.reconciler4j.plan.PlanReport.Problem;
import io.github.reconciler4j.reconcile.ReconcileObserver;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds out what an operator would do: lets each controller reconcile each of its objects once, and changes nothing. The operator can
 * run beside another version of itself, and needs the permissions of that one. For one manager.
 *
 * <!-- snippet: SafetyUse -->
 * <pre>{@code
 * Plan plan = Plan.create();
 * try (Manager manager = Manager.create(config, plan.prepare(options))) {
 *     new DeclaredBuilder().pages().addTo(manager);
 *     PlanReport report = plan.run(manager, Duration.ofMinutes(10));
 *     return report.toText();
 * }
 * }</pre>
 *
 * <p>Reconcilers call each other's systems as usual: only the writes of the manager's clients have no effect. See {@link PlanScope}
 * for anything else. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class Plan {

    /** Longer than any plan, so that no request runs twice. */
    private static final Duration ONCE = Duration.ofDays(365);

    private static final Comparator<Problem> PROBLEMS = Comparator.comparing(Problem::controller)
            .thenComparing(Problem::object)
            .thenComparing(Problem::message);

    private static final long INTERVAL = Duration.ofMillis(20).toNanos();

    /** How long a controller may wait for something that requires action, which may be about to come. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final PlanLedger ledger = new PlanLedger();
    private final PlanRecorder recorder = new PlanRecorder(ledger);
    private final AtomicInteger reconciliations = new AtomicInteger();
    private final ConcurrentLinkedQueue<Problem> problems = new ConcurrentLinkedQueue<>();

    private Plan() {}

    /** Create a plan. */
    public static Plan create() {
        return new Plan();
    }

    /**
     * Return a copy of the options for the manager of this plan: its writes are dry runs, it acquires no lease, each request is
     * reconciled once, and what runs after the limit is interrupted.
     */
    public ManagerOptions prepare(ManagerOptions options) {
        ClientOptions client = options.client();
        List<ClientInterceptor> interceptors = new ArrayList<>(client.interceptors());
        interceptors.add(recorder);
        ControllerCustomizers customizers = options.componentDefaults(ControllerCustomizers.class)
                .orElse(ControllerCustomizers.none())
                .withOverrides(controller -> controller.customizeOptions(this::once));
        return options.withClient(client.withMode(WriteMode.PLAN).withInterceptors(interceptors))
                .withoutLeaderElection()
                .withLifecycle(
                        options.lifecycle().withGracefulShutdown(Duration.ZERO)) // what still runs changes nothing
                .withComponentDefaults(customizers);
    }

    private ControllerOptions once(ControllerOptions options) {
        List<ReconcileObserver> observers = new ArrayList<>();
        if (options.observer() != ReconcileObserver.NONE) {
            observers.add(options.observer());
        }
        observers.add(this::started);
        return options.withMinInterval(ONCE).withMaxAttempts(0).withObserver(ReconcileObserver.all(observers));
    }

    private ReconcileObserver.Scope started(ReconcileObserver.Run run) {
        String object = run.context().request().toString();
        PlanScope scope = PlanScope.enter();
        recorder.workFor(run.controller() + " " + object);
        return (outcome, failure) -> {
            recorder.endWork();
            scope.close();
            reconciliations.incrementAndGet();
            if (failure != null) {
                problems.add(new Problem(run.controller(), object, Causes.message(failure)));
            }
        };
    }

    /**
     * Start the controllers of a manager, wait until each has reconciled what exists, and stop the manager. Components other than
     * controllers are removed. A request that fails, and a controller that does not start, are problems of the report.
     *
     * @param manager a manager with options of {@link #prepare} that has not been started
     * @param limit the longest time; what is not reconciled then is a problem
     * @throws io.github.reconciler4j.manager.ManagerFailedException if the manager cannot start, for example without API server
     */
    public PlanReport run(Manager manager, Duration limit) throws InterruptedException {
        recorder.use(manager);
        List<Controller<?>> controllers = removeOthers(manager);
        int paused;
        try {
            manager.start();
            await(controllers, limit);
            paused = controllers.stream()
                    .mapToInt(controller -> controller.operations().pausedObjects())
                    .sum();
        } finally {
            manager.stop();
        }
        return new PlanReport(
                manager.options().name(),
                manager.options().version(),
                ledger.changes(),
                problems.stream().sorted(PROBLEMS).toList(),
                new Counts(
                        controllers.size(),
                        reconciliations.get(),
                        paused,
                        recorder.statusWrites(),
                        recorder.requests()));
    }

    private static List<Controller<?>> removeOthers(Manager manager) {
        List<Controller<?>> controllers = new ArrayList<>();
        Set<ManagedComponent> kept = new HashSet<>();
        for (ManagedComponent component : manager.components()) {
            if (component instanceof Controller<?> controller) {
                controllers.add(controller);
                kept.add(controller);
                kept.addAll(controller.companions());
            }
        }
        for (ManagedComponent component : manager.components()) {
            if (!kept.contains(component)) {
                manager.remove(component);
            }
        }
        return controllers;
    }

    private void await(List<Controller<?>> controllers, Duration limit) throws InterruptedException {
        TimeSource time = TimeSource.system();
        long start = time.nanoTime();
        while (true) {
            long elapsed = time.nanoTime() - start;
            boolean isOver = elapsed >= limit.toNanos();
            boolean mayWait = elapsed < GRACE.toNanos() && !isOver;
            if (isOver || controllers.stream().allMatch(controller -> isDone(controller, mayWait))) {
                controllers.forEach(controller -> report(controller, limit));
                return;
            }
            time.sleep(INTERVAL);
        }
    }

    private static boolean isDone(Controller<?> controller, boolean mayWait) {
        return switch (controller.state()) {
            case RUNNING -> left(controller) == 0;
            case FAILED -> true;
            case WAITING -> !mayWait;
            default -> false;
        };
    }

    /** Return the number of requests that are ready or running. */
    private static int left(Controller<?> controller) {
        WorkQueueSnapshot<?> queue = controller.operations().queue().orElse(null);
        return queue == null
                ? 0
                : queue.running()
                        + queue.depth().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum();
    }

    private void report(Controller<?> controller, Duration limit) {
        ControllerState state = controller.state();
        String problem = null;
        if (state != ControllerState.RUNNING) {
            String reason = controller.notReadyReason();
            problem = "did not start" + (reason.isEmpty() ? "" : ": " + reason);
        } else if (left(controller) > 0) {
            problem = left(controller) + " objects were not reconciled within " + limit.toSeconds() + " s";
        }
        if (problem != null) {
            problems.add(new Problem(controller.name(), "", problem));
        }
    }
}
