package io.github.reconciler4j.sharding.internal.member;

import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.util.Collection;
import java.util.function.Consumer;

/** A queue, as the controller passes it to its gate. */
record QueueOfGate<R>(WorkQueue<R> queue, Consumer<R> known) implements RequestGate.Backlog<R> {

    @Override
    public void add(R request, int priority) {
        queue.add(request, priority);
    }

    @Override
    public void remove(R request) {
        queue.remove(request);
        known.accept(request);
    }

    @Override
    public void forget(R request) {
        queue.forget(request);
        known.accept(request);
    }

    @Override
    public Collection<R> waiting() {
        return queue.waiting();
    }
}
