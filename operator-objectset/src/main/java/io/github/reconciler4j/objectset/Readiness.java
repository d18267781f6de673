package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Says whether an object of a set is ready, so that the next step can start. Implementations must be thread-safe and must not
 * change the object.
 *
 * <!-- snippet: SafetyUse -->
 * <pre>{@code
 * Readiness restored = Readiness.of(
 *         StatefulSet.class,
 *         set -> set.getMetadata().getAnnotations().containsKey("example.com/restored"),
 *         "waits for the backup");
 * return ObjectSet.ownedBy(shop).apply(database).untilReady(restored);
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Readiness {

    /**
     * Return the state of an object.
     *
     * @param object the object as the API server returned it
     */
    Status of(HasMetadata object);

    /**
     * Return the readiness that kstatus defines, which {@code kubectl apply --wait}-like tools use too: rules for Deployments,
     * StatefulSets, DaemonSets, ReplicaSets, Pods, Jobs, Services, PersistentVolumeClaims and CustomResourceDefinitions. Of other
     * kinds, {@code observedGeneration} must be that of the object, and the conditions {@code Reconciling}, {@code Stalled} and
     * {@code Ready} count. An object that says nothing of these is ready.
     */
    static Readiness standard() {
        return StandardReadiness::of;
    }

    /**
     * Return the readiness of an object whose status has a condition with the status {@code True}, for the current generation if
     * the object says for which. For example {@code Complete} of a Job.
     */
    static Readiness condition(String type) {
        Objects.requireNonNull(type, "'type' must not be null");
        return object -> StandardReadiness.ofCondition(object, type);
    }

    /**
     * Return the readiness of objects of one class.
     *
     * @param ready returns whether the object is ready
     * @param waitingFor what is missing otherwise, for people: {@code the first backup}
     */
    static <T extends HasMetadata> Readiness of(Class<T> type, Predicate<? super T> ready, String waitingFor) {
        Objects.requireNonNull(ready, "'ready' must not be null");
        Objects.requireNonNull(waitingFor, "'waitingFor' must not be null");
        return object -> {
            if (!type.isInstance(object)) {
                throw new IllegalArgumentException("The readiness is for " + type.getSimpleName()
                        + ", but the object is a " + object.getClass().getSimpleName());
            }
            return ready.test(type.cast(object)) ? Status.ready("") : Status.waiting("waits for " + waitingFor);
        };
    }

    /**
     * The state of an object. Immutable.
     *
     * @param state what it is
     * @param message why, for people; never the content of the object
     * @since 0.1.0
     */
    record Status(State state, String message) {

        /** Return the state of an object that is ready. */
        public static Status ready(String message) {
            return new Status(State.READY, message);
        }

        /** Return the state of an object that becomes ready without help. */
        public static Status waiting(String message) {
            return new Status(State.WAITING, message);
        }

        /** Return the state of an object that has failed. */
        public static Status failed(String message) {
            return new Status(State.FAILED, message);
        }
    }

    /**
     * What an object is.
     *
     * @since 0.1.0
     */
    enum State {
        /** As the specification asks for. */
        READY,
        /** On the way. */
        WAITING,
        /** Failed; it may recover. */
        FAILED
    }
}
