package io.github.reconciler4j.reconcile;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

record SimpleContext(
        Request request, String reconcileId, int attempt, List<Trigger> triggers, Optional<Instant> deadline)
        implements ReconcileContext {

    SimpleContext(Request request) {
        this(request, UUID.randomUUID().toString(), 1, List.of(), Optional.empty());
    }
}
