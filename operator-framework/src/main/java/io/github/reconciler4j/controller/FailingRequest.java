package io.github.reconciler4j.controller;

import io.github.reconciler4j.support.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose last reconciliation failed. Immutable.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * operations.failing(10).forEach(failing -> log.accept(failing.request() + ": " + failing.error()));
 * }</pre>
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class FailingRequest<R> {

    private final R request;
    private final int failures;
    private final Instant since;
    private final Instant last;
    private final String error;
    private final boolean terminal;
    private final @Nullable Duration next;

    private FailingRequest(
            R request,
            int failures,
            Instant since,
            Instant last,
            String error,
            boolean terminal,
            @Nullable Duration next) {
        this.request = request;
        this.failures = failures;
        this.since = since;
        this.last = last;
        this.error = error;
        this.terminal = terminal;
        this.next = next;
    }

    /** Create a failing request; for the framework. */
    public static <R> FailingRequest<R> of(
            R request,
            int failures,
            Instant since,
            Instant last,
            String error,
            boolean terminal,
            @Nullable Duration next) {
        return new FailingRequest<>(request, failures, since, last, error, terminal, next);
    }

    /** Return the request. */
    public R request() {
        return request;
    }

    /** Return how many reconciliations in a row failed. */
    public int failures() {
        return failures;
    }

    /** Return when the first of them failed. */
    public Instant since() {
        return since;
    }

    /** Return when the latest of them failed. */
    public Instant last() {
        return last;
    }

    /** Return what the latest threw, in one line with its causes. */
    public String error() {
        return error;
    }

    /** Return whether it is not retried until something changes. */
    public boolean terminal() {
        return terminal;
    }

    /**
     * Return the time until the retry; empty if it is ready or running, if it is not retried, or if so many others are
     * retried before it that it is not known.
     */
    public Optional<Duration> next() {
        return Optional.ofNullable(next);
    }

    /** Return text such as {@code default/web failed 3 times: IOException: closed}. */
    @Override
    public String toString() {
        return Texts.of(request) + " failed " + failures + " times: " + error;
    }
}
