package io.github.reconciler4j.workqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Collects which limiter is for which errors; see {@link RateLimiters#byError}. Rules are tried in the order given,
 * first with the error itself, then with its cause, and so on. For use by one thread.
 *
 * @param <T> the keys
 * @since 0.1.0
 */
public final class ErrorRules<T> {

    private final List<ErrorRateLimiter.Rule<T>> rules = new ArrayList<>();

    ErrorRules() {}

    /** Uses a limiter for errors of a class. */
    public ErrorRules<T> when(Class<? extends Throwable> type, RateLimiter<T> limiter) {
        return when(type::isInstance, limiter);
    }

    /** Uses a limiter for errors that pass a test; the test is called by many threads. */
    public ErrorRules<T> when(Predicate<? super Throwable> test, RateLimiter<T> limiter) {
        rules.add(new ErrorRateLimiter.Rule<>(test, limiter));
        return this;
    }

    /** The limiter that follows these rules, and uses another one for everything else, also if no error is known. */
    public RateLimiter<T> otherwise(RateLimiter<T> limiter) {
        return new ErrorRateLimiter<>(List.copyOf(rules), limiter);
    }
}
