package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Causes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    private final List<Rule<T>> rules = new ArrayList<>();

    ErrorRules() {}

    /** Use a limiter for errors of a class. */
    public ErrorRules<T> when(Class<? extends Throwable> type, RateLimiter<T> limiter) {
        return when(type::isInstance, limiter);
    }

    /** Use a limiter for errors that meet a condition, which must be thread-safe. */
    public ErrorRules<T> when(Predicate<? super Throwable> test, RateLimiter<T> limiter) {
        rules.add(new Rule<>(test, limiter));
        return this;
    }

    /** Return the limiter that follows these rules, and uses the given one for all other and for unknown errors. */
    public RateLimiter<T> otherwise(RateLimiter<T> limiter) {
        return new ErrorRateLimiter<>(List.copyOf(rules), limiter);
    }

    private record Rule<T>(Predicate<? super Throwable> test, RateLimiter<T> limiter) {}

    private static final class ErrorRateLimiter<T> implements RateLimiter<T> {

        private final List<Rule<T>> rules;
        private final RateLimiter<T> otherwise;

        /** Every limiter once, even if several rules use it. */
        private final List<RateLimiter<T>> distinct = new ArrayList<>();

        ErrorRateLimiter(List<Rule<T>> rules, RateLimiter<T> otherwise) {
            this.rules = rules;
            this.otherwise = otherwise;
            distinct.add(otherwise);
            for (Rule<T> rule : rules) {
                if (distinct.stream().noneMatch(limiter -> limiter == rule.limiter())) {
                    distinct.add(rule.limiter());
                }
            }
        }

        @Override
        public Duration next(T item, @Nullable Throwable cause) {
            for (Throwable error : Causes.of(cause)) {
                for (Rule<T> rule : rules) {
                    if (rule.test().test(error)) {
                        return rule.limiter().next(item, cause);
                    }
                }
            }
            return otherwise.next(item, cause);
        }

        @Override
        public void forget(T item) {
            for (RateLimiter<T> limiter : distinct) {
                limiter.forget(item);
            }
        }

        /** The sum, because one of them has counted each failure. */
        @Override
        public int retries(T item) {
            int sum = 0;
            for (RateLimiter<T> limiter : distinct) {
                sum += limiter.retries(item);
            }
            return sum;
        }
    }
}
