package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Causes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Chooses a limiter by the error. */
final class ErrorRateLimiter<T> implements RateLimiter<T> {

    private final List<Rule<T>> rules;
    private final RateLimiter<T> otherwise;

    /** Every limiter once, also if several rules use it. */
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

    record Rule<T>(Predicate<? super Throwable> test, RateLimiter<T> limiter) {}

    @Override
    public Duration next(T item, @Nullable Throwable cause) {
        for (Throwable error : Causes.of(cause)) {
            RateLimiter<T> limiter = limiterFor(error);
            if (limiter != null) {
                return limiter.next(item, cause);
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

    /** The sum: a failure was counted by one of them. */
    @Override
    public int retries(T item) {
        int sum = 0;
        for (RateLimiter<T> limiter : distinct) {
            sum += limiter.retries(item);
        }
        return sum;
    }

    private @Nullable RateLimiter<T> limiterFor(Throwable error) {
        for (Rule<T> rule : rules) {
            if (rule.test().test(error)) {
                return rule.limiter();
            }
        }
        return null;
    }
}
