package io.github.reconciler4j.controllers.internal.services;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the time of the first change that a write of endpoints contains, so that readers can measure the delay until they
 * receive it.
 *
 * <p>Safe for use by many threads, as long as each Service has one at a time.
 *
 * @since 0.1.0
 */
public final class TriggerTimes {

    /** The annotation with the time. */
    public static final String ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

    private final Map<String, State> states;

    /** What was known of a Service and its pods at the last call, by the names of the pods. */
    record State(@Nullable Instant service, Map<String, Instant> pods) {}

    /** Create one that knows no Service yet. */
    public TriggerTimes() {
        this(new ConcurrentHashMap<>());
    }

    TriggerTimes(Map<String, State> states) {
        this.states = states;
    }

    /** Return the earliest change since the last call for this Service, {@code null} if there was none. */
    public @Nullable Instant next(Service service, Collection<Pod> pods) {
        Instant created = Times.parse(service.getMetadata().getCreationTimestamp());
        Map<String, Instant> times = new HashMap<>();
        for (Pod pod : pods) {
            Instant time = Times.parse(Pods.readyCondition(pod)
                    .map(PodCondition::getLastTransitionTime)
                    .orElse(null));
            if (time != null) {
                times.put(pod.getMetadata().getName(), time);
            }
        }
        State before = states.put(
                key(service.getMetadata().getNamespace(), service.getMetadata().getName()), new State(created, times));
        if (before == null) {
            return created;
        }
        Instant earliest = null;
        for (Map.Entry<String, Instant> pod : times.entrySet()) {
            if (isAfter(pod.getValue(), before.pods.get(pod.getKey()))) {
                earliest = earlier(earliest, pod.getValue());
            }
        }
        return created != null && isAfter(created, before.service) ? earlier(earliest, created) : earliest;
    }

    /** Forget a Service that is gone. */
    public void forget(@Nullable String namespace, String name) {
        states.remove(key(namespace, name));
    }

    private static String key(@Nullable String namespace, String name) {
        return namespace + "/" + name;
    }

    private static boolean isAfter(Instant time, @Nullable Instant other) {
        return other == null || time.isAfter(other);
    }

    private static Instant earlier(@Nullable Instant a, Instant b) {
        return a == null || b.isBefore(a) ? b : a;
    }
}
