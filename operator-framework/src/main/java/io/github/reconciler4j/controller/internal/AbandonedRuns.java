package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Request;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reconciliations of one controller that ignored their interrupt and outlived a stop. As long as one does, a later run
 * does not reconcile its request, so that equal requests are never reconciled at the same time. Thread-safe.
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

    /** Add the workers whose threads did not end. */
    void add(List<? extends Worker<?>> alive) {
        for (Worker<?> worker : alive) {
            worker.current()
                    .ifPresent(run -> LOG.error(
                            "The reconciliation of {} {} ignores its interrupt; its thread '{}' is abandoned",
                            controller,
                            run.request(),
                            worker.name()));
        }
        workers.addAll(alive);
    }

    /** Return whether an abandoned reconciliation of an equal request has not returned. */
    boolean holds(Object request) {
        return !workers.isEmpty() && requests().contains(RequestProcessor.nameOf(request));
    }

    /** Return the requests of the reconciliations that have not returned. */
    public List<Request> requests() {
        workers.removeIf(worker -> !worker.isAlive());
        return workers.stream()
                .flatMap(worker -> worker.current().stream())
                .map(run -> run.request())
                .toList();
    }
}
