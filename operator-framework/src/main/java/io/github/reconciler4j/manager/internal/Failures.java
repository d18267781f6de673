package io.github.reconciler4j.manager.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What broke in one manager. Guarded by the lock of the lifecycle. */
final class Failures {

    private final List<Failure> all = new ArrayList<>();

    void addLocked(Failure failure) {
        all.add(failure);
    }

    boolean isEmptyLocked() {
        return all.isEmpty();
    }

    /** One sentence for one failure, a list for several. */
    String summaryLocked(String beginning) {
        if (all.size() == 1) {
            return beginning + ": " + all.get(0).text();
        }
        return beginning + " for " + all.size() + " reasons:"
                + all.stream().map(failure -> "\n  " + failure.text()).collect(Collectors.joining());
    }

    List<Throwable> causesLocked() {
        return all.stream().map(Failure::cause).filter(Objects::nonNull).toList();
    }
}
