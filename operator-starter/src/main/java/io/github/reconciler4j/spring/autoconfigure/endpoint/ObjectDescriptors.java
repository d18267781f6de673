package io.github.reconciler4j.spring.autoconfigure.endpoint;

import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.spring.autoconfigure.observation.RunHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the endpoint says of objects. Never the content of one; times are ISO 8601. */
final class ObjectDescriptors {

    private static final double NANOS_PER_MILLI = 1e6;

    private ObjectDescriptors() {}

    /**
     * The latest reconciliations of one object, the latest first.
     *
     * @param key the namespace and name, and the cluster if it is not that of the operator
     * @param state what happens next, null if the requests of the controller are not those of objects
     * @param object the object, null if the cache does not contain it
     */
    record ObjectDescriptor(
            String controller,
            String key,
            List<RunDescriptor> runs,
            @Nullable StateDescriptor state,
            @Nullable DetailsDescriptor object) {}

    /**
     * One object.
     *
     * @param deleted when its deletion was requested, empty if it was not
     * @param readiness whether it is ready, by the rules of kstatus
     * @param owned the objects of cached kinds that it owns, and the members of its object sets elsewhere
     * @param ownedLeftOut how many more there are
     * @param events the latest events, the latest first
     * @param eventsProblem why events cannot be read, empty if they can
     */
    record DetailsDescriptor(
            String kind,
            String created,
            String deleted,
            long generation,
            List<String> finalizers,
            List<ConditionDescriptor> conditions,
            ReadinessDescriptor readiness,
            List<OwnedDescriptor> owned,
            int ownedLeftOut,
            List<EventDescriptor> events,
            String eventsProblem) {}

    /** A condition of the status of an object. */
    record ConditionDescriptor(String type, String status, String reason, String message, String since) {}

    /**
     * An object that another one owns.
     *
     * @param set the name of the object set that it is in; empty for the set without a name and for objects of no set
     * @param member whether a label refers to its owner, because an owner reference cannot
     */
    record OwnedDescriptor(
            String kind,
            String key,
            String created,
            String deleted,
            String set,
            boolean member,
            ReadinessDescriptor readiness) {}

    /**
     * Whether an object is ready.
     *
     * @param state {@code READY}, {@code WAITING} or {@code FAILED}; empty if its body is not cached
     * @param message why, for people
     */
    record ReadinessDescriptor(String state, String message) {}

    /** An event of an object. */
    record EventDescriptor(String type, String reason, String message, int count, String last) {}

    /**
     * One reconciliation.
     *
     * @param waitedMillis how long the request was ready in the queue
     * @param tookMillis how long the reconciler took
     * @param triggers why it happened; empty if the reconciler itself asked for it
     * @param requests the number of requests to the API server
     * @param outcome {@code success}, {@code requeue}, {@code requeue_after}, {@code error} or {@code stopped}
     * @param error what the reconciler threw, in one line; empty if it returned
     */
    record RunDescriptor(
            String reconcileId,
            String started,
            double waitedMillis,
            double tookMillis,
            int attempt,
            List<String> triggers,
            int requests,
            String outcome,
            String error,
            List<WriteDescriptor> writes) {}

    /**
     * A write to the API server, without any value that was written.
     *
     * @param call the verb, and the subresource if there is one
     * @param fields the names of the fields that the request contains; an apply contains all fields that it owns
     * @param step the method of the application that wrote, empty if the framework did
     */
    record WriteDescriptor(String call, String kind, String key, List<String> fields, String step) {}

    /**
     * What happens next to an object.
     *
     * @param why the reason in one word
     * @param text the reason for people
     * @param until when that ends, null if a change ends it or if it is not known
     * @param scheduled the next time of the schedule of its controller, null without a schedule
     */
    record StateDescriptor(
            Why why,
            String text,
            @Nullable String until,
            @Nullable String scheduled) {}

    /** Why an object is not reconciled now. */
    enum Why {
        /** It is. */
        RUNNING,
        /** It waits for a worker. */
        READY,
        /** Its last reconciliation failed. */
        BACKOFF,
        /** Its reconciler asked for a retry, whose delay the rate limiter chose. */
        RATE_LIMIT,
        /** The shortest time between two reconciliations has not passed. */
        MIN_INTERVAL,
        /** Its reconciler asked for a time. */
        REQUEUE_AFTER,
        /** An annotation pauses it. */
        PAUSED,
        /** Its controller is paused. */
        CONTROLLER_PAUSED,
        /** It failed and is not retried. */
        STALLED,
        /** Another replica leads. */
        NOT_LEADER,
        /** Another replica has its shard. */
        SHARD,
        /** Its controller does not run. */
        NOT_RUNNING,
        /** Nothing is to be done until something changes. */
        CHANGE
    }

    /**
     * A page of the objects of a controller, by namespace and name.
     *
     * @param kind the kind
     * @param synced whether the cache has all objects
     * @param total the number of objects
     * @param matching how many of them match the search and the filter
     * @param page the number of this page, from 0; the last one if there are fewer
     * @param size the number of objects of a full page
     */
    record ObjectsDescriptor(
            String kind, boolean synced, int total, int matching, int page, int size, List<ItemDescriptor> items) {}

    /**
     * An object of a list.
     *
     * @param key the namespace and name, and the cluster if it is not that of the operator
     * @param deleted when its deletion was requested, empty if it was not
     * @param failures the number of failures in a row, 0 if its last reconciliation succeeded
     * @param error the last error in one line
     */
    record ItemDescriptor(
            String key,
            String created,
            String deleted,
            ReadinessDescriptor readiness,
            StateDescriptor state,
            int failures,
            String error) {}

    static RunDescriptor of(RunHistory.Entry run) {
        return new RunDescriptor(
                run.context().reconcileId(),
                run.started().toString(),
                run.timing().waited().toNanos() / NANOS_PER_MILLI,
                run.timing().took().toNanos() / NANOS_PER_MILLI,
                run.context().attempt(),
                run.context().triggers().stream().map(Trigger::toString).toList(),
                run.requests().count(),
                run.outcome().label(),
                run.error(),
                run.requests().writes().stream().map(ObjectDescriptors::of).toList());
    }

    private static WriteDescriptor of(RunHistory.Write write) {
        return new WriteDescriptor(
                write.call(),
                write.kind().toString(),
                write.key(),
                write.fields().isEmpty() ? List.of() : List.of(write.fields().split(",")),
                write.step());
    }
}
