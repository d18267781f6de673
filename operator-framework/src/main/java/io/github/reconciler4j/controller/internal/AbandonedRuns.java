package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Request;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of one controller that ignored their interrupt and go on after a stop. As long as one does, a later start
 * does not run its request, so that equal requests never run at the same time. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class AbandonedRuns {

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedRuns.class);

    private final String controller;
    private final List<Worker<?>> workers = new CopyOnWriteArrayList<>();

    AbandonedRuns(String controller) {
        this.controller = controller;
    }

    /** Takes workers over whose threads did not end. */
    void add(List<? extends Worker<?>> alive) {
        for (Worker<?> worker : alive) {
            worker.current()
                    .ifPresent(run -> LOG.error(
                            "Reconcile of {} {} ignores its interrupt; its thread '{}' is left behind",
                            controller,
                            run.request(),
                            worker.name()));
        }
        workers.addAll(alive);
    }

    /** Whether such a run of an equal request goes on. */
    boolean holds(Object request) {
        return !workers.isEmpty() && requests().contains(RunContext.nameOf(request));
    }

    /** The requests of the runs that go on. */
    public List<Request> requests() {
        workers.removeIf(worker -> !worker.isAlive());
        return workers.stream()
                .flatMap(worker -> worker.current().stream())
                .map(ActiveRun::request)
                .toList();
    }
}
