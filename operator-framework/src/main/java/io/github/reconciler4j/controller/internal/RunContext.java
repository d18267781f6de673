package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The context of one run. */
record RunContext(Request request, String reconcileId, int attempt, List<Trigger> triggers, Optional<Instant> deadline)
        implements ReconcileContext {

    /** A request of any type as namespace and name; one of another type is known by its text. */
    static Request nameOf(Object request) {
        return request instanceof Request named ? named : new Request("", request.toString());
    }

    /** A random id; it only has to differ from the others in the log, so it need not be hard to guess. */
    static String newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = random.nextLong() & ~0xF000L | 0x4000L;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }
}
