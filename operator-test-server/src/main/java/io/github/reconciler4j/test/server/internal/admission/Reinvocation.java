package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which webhooks or policies are called again: those that ask for it and whose result changed. For one thread. */
final class Reinvocation {
    private final Set<String> called = new HashSet<>();
    private final Set<String> again = new HashSet<>();
    private @Nullable ObjectNode last;
    private boolean applied;

    /** Note that a pass starts with this object. */
    void starts(boolean second, @Nullable ObjectNode object) {
        if (second && last != null && object != null && !Json.same(last, object)) {
            changed();
        }
    }

    /** Note that a pass ends with this object. */
    void ends(@Nullable ObjectNode object) {
        last = object == null ? null : object.deepCopy();
    }

    boolean isDue(String key) {
        return again.contains(key);
    }

    /** Note that the object changed after the earlier ones saw it. */
    void changed() {
        again.addAll(called);
        called.clear();
    }

    /** Note that a mutation was carried out, whether it changed something or not. */
    void applied() {
        applied = true;
    }

    boolean hasApplied() {
        return applied;
    }

    void called(String key) {
        called.add(key);
    }
}
