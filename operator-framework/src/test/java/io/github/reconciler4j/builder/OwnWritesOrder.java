package io.github.reconciler4j.builder;

import io.github.reconciler4j.builder.OwnWritesHistory.Party;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one request of {@link OwnWritesHistory} writes, with whatever the administrator writes in between. */
final class OwnWritesOrder {

    final Party party;
    final List<Way> ways = new ArrayList<>();

    /** Whether the watch merges all the writes, because it is held up before the first one. */
    private final boolean merges;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean isDone;
    private volatile @Nullable Throwable failure;

    /** How an object is written. */
    enum Way {
        /** Not the object, but one that concerns no request. */
        MARKER,
        ADMIN,
        /** Does not say which version it is for. */
        PATCH,
        APPLY,
        LOCKED_PATCH,
        UPDATE;

        static final List<Way> CONTROLLERS = List.of(PATCH, APPLY, LOCKED_PATCH, UPDATE);
    }

    OwnWritesOrder(Party party, IntUnaryOperator draw) {
        this.party = party;
        this.merges = draw.applyAsInt(2) == 0;
        boolean isOwn = draw.applyAsInt(2) == 0;
        for (int i = draw.applyAsInt(3); i >= 0; i--) {
            ways.add(isOwn ? Way.values()[3 + draw.applyAsInt(3)] : Way.values()[1 + draw.applyAsInt(5)]);
        }
    }

    /** Return whether all writes are those of the request, and say which version they are for. */
    boolean isOwn() {
        return !ways.contains(Way.ADMIN) && !ways.contains(Way.PATCH);
    }

    /** Called for the marker: keep the watch of the controller from delivering more. */
    void hold(String controller) {
        if (merges && controller.equals(party.controller())) {
            held.countDown();
            await(released);
        }
    }

    /** Write, if the request is the one. */
    void carryOut(String controller, String request, Consumer<Way> write) {
        if (isDone || !controller.equals(party.controller()) || !request.equals(party.request())) {
            return;
        }
        try {
            if (merges) {
                write.accept(Way.MARKER);
                await(held);
            }
            ways.forEach(write);
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            released.countDown();
            isDone = true;
        }
    }

    boolean isDone() {
        return isDone;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("not released");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
