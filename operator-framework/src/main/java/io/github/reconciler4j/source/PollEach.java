package io.github.reconciler4j.source;

import io.github.reconciler4j.source.PollSource.Poll;
import io.github.reconciler4j.source.PollSource.Polled;
import io.github.reconciler4j.workqueue.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** Asks for each request on its own. A task is a request to ask for, or none: to look which requests there are. */
final class PollEach<R> extends Poller<R, Optional<R>> {

    private final Duration refresh;
    private final Callable<? extends Collection<R>> requests;
    private final Poll<R> poll;

    /** The requests there are, with their last state or none if they were never asked for; for the thread alone. */
    private final Map<R, Optional<Polled>> known = new HashMap<>();

    PollEach(
            String name,
            Duration refresh,
            Callable<? extends Collection<R>> requests,
            Poll<R> poll,
            RequestTarget<R> target,
            Ticker ticker) {
        super(name, target, ticker);
        this.refresh = refresh;
        this.requests = requests;
        this.poll = poll;
    }

    EventSource.Running begin() {
        return begin(Optional.empty());
    }

    @Override
    void perform(Optional<R> task) throws Exception {
        if (task.isEmpty()) {
            lookWhichThereAre();
            again(task, refresh);
        } else if (known.containsKey(task.get())) {
            ask(task.get());
        }
    }

    private void lookWhichThereAre() throws Exception {
        Set<R> now = new HashSet<>(requests.call());
        known.keySet().retainAll(now);
        for (R request : now) {
            if (known.putIfAbsent(request, Optional.empty()) == null) {
                again(Optional.of(request), Duration.ZERO);
            }
        }
    }

    private void ask(R request) throws Exception {
        Polled answer = poll.poll(request);
        Optional<Polled> before = known.getOrDefault(request, Optional.empty());
        if (before.isEmpty() || !Objects.equals(before.get().state(), answer.state())) {
            changed(request, before.isEmpty());
        }
        known.put(request, Optional.of(answer));
        again(Optional.of(request), answer.next());
    }
}
