package io.github.reconciler4j.test.faults;

import io.github.reconciler4j.test.request.ServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The rules by which a server misbehaves. The first rule that strikes a request wins. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Faults {
    private final List<ActiveFault> active = new CopyOnWriteArrayList<>();

    /** Makes a server behave. */
    public Faults() {}

    /** Adds a rule; closing the result removes it. */
    public ActiveFault add(FaultRule rule) {
        ActiveFault fault = new ActiveFault(rule, this);
        active.add(fault);
        return fault;
    }

    /** Removes all rules; requests that stalled go on. */
    public void clear() {
        List.copyOf(active).forEach(ActiveFault::close);
    }

    void forget(ActiveFault fault) {
        active.remove(fault);
    }

    /** Returns the rule that strikes a request, if any; the server calls it once for each. */
    public Optional<ActiveFault> onRequest(ServerRequest request) {
        return strike(request, false);
    }

    /** Returns the rule that strikes an event of a watch, if any; the server calls it once for each. */
    public Optional<ActiveFault> onEvent(ServerRequest watchAboutObject) {
        return strike(watchAboutObject, true);
    }

    private Optional<ActiveFault> strike(ServerRequest request, boolean event) {
        for (ActiveFault fault : active) {
            if (fault.rule().fault().isAboutEvents() == event && fault.strikes(request)) {
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }
}
