package io.github.reconciler4j.test.faults;

import java.time.Duration;
import java.util.Map;

/**
 * One way to misbehave. Faults of requests replace or disturb an answer; faults of events disturb watches when an event
 * is about to be sent. Immutable.
 *
 * <!-- snippet: BusyServerTests -->
 * <pre>{@code
 * RequestMatch writes = RequestMatch.writes().kind("ConfigMap").user(TestCluster.OPERATOR);
 * server.faults().add(FaultRule.of(writes, Fault.unavailable()).times(2));
 * }</pre>
 *
 * @since 0.1.0
 */
public sealed interface Fault
        permits Fault.Respond,
                Fault.Delay,
                Fault.Stall,
                Fault.Cut,
                Fault.DelayEvent,
                Fault.DuplicateEvent,
                Fault.EndWatch {

    /** The point at which a connection is reset. */
    enum CutPoint {
        /** Before the request is looked at: nothing happens to the objects. */
        BEFORE,
        /** After the request was carried out, but before its answer. */
        AFTER,
        /** In the middle of the answer's body. */
        INSIDE
    }

    /** The ways in which a watch ends. */
    enum WatchEnd {
        /** An orderly end, as after a timeout. */
        ORDERLY,
        /** The connection is cut before the event. */
        CONNECTION_RESET,
        /** The connection is cut in the middle of the event's line. */
        INSIDE_EVENT,
        /** An {@code ERROR} event says that the history is gone (410), then it ends. */
        EXPIRED
    }

    /**
     * Answers with an error without doing anything.
     *
     * @param status the HTTP status code
     * @param reason the reason in the {@code Status} object; may be empty
     * @param message the message in it
     * @param headers further headers
     */
    record Respond(int status, String reason, String message, Map<String, String> headers) implements Fault {
        /** Copies the headers. */
        public Respond {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * Waits, then processes the request as usual.
     *
     * @param time how long
     */
    record Delay(Duration time) implements Fault {}

    /** Does not answer until the rule is removed, then processes the request as usual. */
    record Stall() implements Fault {}

    /**
     * Closes the connection.
     *
     * @param point when
     */
    record Cut(CutPoint point) implements Fault {}

    /**
     * Holds an event and all that follow it back for a while.
     *
     * @param time how long
     */
    record DelayEvent(Duration time) implements Fault {}

    /** Sends an event twice. */
    record DuplicateEvent() implements Fault {}

    /**
     * Ends the watch instead of sending an event.
     *
     * @param end how
     */
    record EndWatch(WatchEnd end) implements Fault {}

    /** 429 Too Many Requests, asking to come back after the time (whole seconds). */
    static Fault tooManyRequests(Duration retryAfter) {
        String seconds = Long.toString(retryAfter.toSeconds());
        return new Respond(
                429, "TooManyRequests", "Too many requests, please try again later.", Map.of("Retry-After", seconds));
    }

    /** 500 Internal Server Error. */
    static Fault internalError() {
        return new Respond(500, "InternalError", "Internal error occurred: injected fault", Map.of());
    }

    /** 503 Service Unavailable. */
    static Fault unavailable() {
        return new Respond(503, "ServiceUnavailable", "the server is currently unable to handle the request", Map.of());
    }

    /** 504 Gateway Timeout. */
    static Fault timeout() {
        return new Respond(504, "Timeout", "Timeout: request did not complete within the allotted timeout", Map.of());
    }

    /** 401 Unauthorized, as after a token expired. */
    static Fault unauthorized() {
        return new Respond(401, "Unauthorized", "Unauthorized", Map.of());
    }

    /** 403 Forbidden. */
    static Fault forbidden() {
        return new Respond(403, "Forbidden", "forbidden by an injected fault", Map.of());
    }

    /** 409 Conflict, as after a concurrent write. */
    static Fault conflict() {
        return new Respond(
                409,
                "Conflict",
                "Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest"
                        + " version and try again",
                Map.of());
    }

    /** 410 Gone, as when the history or a list's snapshot is gone. */
    static Fault gone() {
        return new Respond(410, "Expired", "The resourceVersion for the provided request is too old.", Map.of());
    }

    /** Wait, then process the request as usual. */
    static Fault delay(Duration time) {
        return new Delay(time);
    }

    /** Do not answer until the rule is removed. */
    static Fault stall() {
        return new Stall();
    }

    /** Close the connection. */
    static Fault cut(CutPoint point) {
        return new Cut(point);
    }

    /** Hold events back. */
    static Fault delayEvents(Duration time) {
        return new DelayEvent(time);
    }

    /** Send events twice. */
    static Fault duplicateEvents() {
        return new DuplicateEvent();
    }

    /** End watches. */
    static Fault endWatch(WatchEnd end) {
        return new EndWatch(end);
    }

    /** Return whether the fault disturbs the events of watches rather than requests. */
    default boolean isAboutEvents() {
        return this instanceof DelayEvent || this instanceof DuplicateEvent || this instanceof EndWatch;
    }
}
