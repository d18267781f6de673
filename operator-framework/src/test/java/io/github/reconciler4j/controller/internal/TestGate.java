package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.workqueue.RequestGate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lets those requests pass that the test has given a pass. */
final class TestGate<R> implements RequestGate<R> {

    final Map<R, TestPass> passes = new HashMap<>();
    volatile @Nullable Backlog<R> queue;

    /** A pass that notes what happens to it. */
    static final class TestPass implements Pass {

        boolean mayStart = true;
        boolean revoked;
        int runs;
        int exits;
        Runnable interrupt = () -> {};

        @Override
        public boolean mayStart() {
            return mayStart;
        }

        @Override
        public void run(Runnable reconciliation) {
            runs++;
            reconciliation.run();
        }

        @Override
        public boolean isRevoked() {
            return revoked;
        }

        @Override
        public void exit() {
            exits++;
        }
    }

    TestPass letPass(R request) {
        TestPass pass = new TestPass();
        passes.put(request, pass);
        return pass;
    }

    @Override
    public void attach(Backlog<R> attached) {
        queue = attached;
    }

    @Override
    public boolean admits(R request) {
        return passes.containsKey(request);
    }

    @Override
    public @Nullable Pass enter(R request, int priority, Runnable interrupt) {
        TestPass pass = passes.get(request);
        if (pass != null) {
            pass.interrupt = interrupt;
        }
        return pass;
    }
}
