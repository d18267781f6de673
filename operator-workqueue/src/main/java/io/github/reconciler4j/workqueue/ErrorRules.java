package io.github.reconciler4j.workqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Builds a rate limiter that chooses another limiter by the error; see {@link RateLimiters#byError}. Rules are tried in
 * order, first with the error itself, then with its cause, and so on. Not thread-safe.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * return ControllerOptions.defaults()
 *         .withRateLimiter(() -> RateLimiters.<Object>byError()
 *                 .when(IOException.class, RateLimiters.constant(Duration.ofSeconds(30)))
 *                 .otherwise(RateLimiters.defaults()));
 * }</pre>
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public final class ErrorRules<T> {

    private final List<RateLimiters.Rule<T>> rules = new ArrayList<>();

    ErrorRules() {}

    /** Use a limiter for errors of a class. */
    public ErrorRules<T> when(Class<? extends Throwable> type, RateLimiter<T> limiter) {
        return when(type::isInstance, limiter);
    }

    /** Use a limiter for errors that meet a condition, which must be thread-safe. */
    public ErrorRules<T> when(Predicate<? super Throwable> test, RateLimiter<T> limiter) {
        rules.add(new RateLimiters.Rule<>(test, limiter));
        return this;
    }

    /** Return the limiter that follows these rules, and uses the given one for all other and for unknown errors. */
    public RateLimiter<T> otherwise(RateLimiter<T> limiter) {
        return new RateLimiters.ByError<>(List.copyOf(rules), limiter);
    }
}
