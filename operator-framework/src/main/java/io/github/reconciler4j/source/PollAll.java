package io.github.reconciler4j.source;

import io.github.reconciler4j.workqueue.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Asks for everything in one call. */
final class PollAll<R> extends Poller<R, String> {

    private static final String ASK = "ask";

    private final Duration interval;
    private final Callable<? extends Map<R, ?>> poll;

    /** The last answer; for the polling thread alone. */
    private Map<R, Object> states = new HashMap<>();

    /** Whether nothing was answered yet; for the polling thread alone. */
    private boolean firstTime = true;

    PollAll(
            String name,
            Duration interval,
            Callable<? extends Map<R, ?>> poll,
            RequestTarget<R> target,
            Ticker ticker) {
        super(name, target, ticker);
        this.interval = interval;
        this.poll = poll;
    }

    EventSource.Running begin() {
        return begin(ASK);
    }

    @Override
    void perform(String task) throws Exception {
        Map<R, Object> now = new HashMap<>(poll.call());
        for (Map.Entry<R, Object> entry : now.entrySet()) {
            boolean known = states.containsKey(entry.getKey());
            if (!known || !Objects.equals(states.get(entry.getKey()), entry.getValue())) {
                changed(entry.getKey(), firstTime);
            }
        }
        for (R before : states.keySet()) {
            if (!now.containsKey(before)) {
                changed(before, false);
            }
        }
        states = now;
        firstTime = false;
        again(task, interval);
    }
}
