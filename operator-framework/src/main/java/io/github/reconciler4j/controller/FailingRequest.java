package io.github.reconciler4j.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A request whose last run failed. Immutable.
 *
 * @param request the request
 * @param failures how many runs in a row failed
 * @param since when the first of them failed
 * @param last when the latest of them failed
 * @param error what the latest threw, in one line with its causes
 * @param terminal whether it is not tried again before something changes
 * @param next the time until the next try; empty if it is ready or running now, if it is not tried again by itself, or
 *     if so many others come before it that it is not known
 * @param <R> what a request is
 * @since 0.1.0
 */
public record FailingRequest<R>(
        R request,
        int failures,
        Instant since,
        Instant last,
        String error,
        boolean terminal,
        Optional<Duration> next) {}
