package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.controller.FailingRequest;
import io.github.reconciler4j.controller.internal.FailureLog.SyncFailure;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts together what the failure log and the queue know of failing requests. */
final class FailingRequests {

    private FailingRequests() {}

    /** At most so many requests: those in backoff come first, the next one first of all. */
    static <R> List<FailingRequest<R>> read(FailureLog<R> log, WorkQueueSnapshot<R> queue, int limit) {
        Map<R, SyncFailure> troubles = new LinkedHashMap<>();
        log.forEach(troubles::put);
        List<FailingRequest<R>> failing = new ArrayList<>();
        for (Backoff<R> waiting : queue.inBackoff()) {
            SyncFailure trouble = troubles.remove(waiting.item());
            if (trouble != null) {
                failing.add(failing(waiting.item(), trouble, Optional.of(waiting.next())));
            }
        }
        troubles.forEach((request, trouble) -> failing.add(failing(request, trouble, Optional.empty())));
        return List.copyOf(failing.subList(0, Math.min(limit, failing.size())));
    }

    private static <R> FailingRequest<R> failing(R request, SyncFailure trouble, Optional<Duration> next) {
        return new FailingRequest<>(
                request,
                trouble.failures(),
                trouble.since(),
                trouble.last(),
                trouble.error(),
                trouble.terminal(),
                next);
    }
}
