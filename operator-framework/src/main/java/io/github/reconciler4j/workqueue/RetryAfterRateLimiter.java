package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Causes;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Obeys the delay an error asks for. */
final class RetryAfterRateLimiter<T> implements RateLimiter<T> {

    private final Function<Throwable, @Nullable Duration> hint;
    private final RateLimiter<T> otherwise;

    RetryAfterRateLimiter(Function<Throwable, @Nullable Duration> hint, RateLimiter<T> otherwise) {
        this.hint = hint;
        this.otherwise = otherwise;
    }

    @Override
    public Duration next(T item, @Nullable Throwable cause) {
        Duration usual = otherwise.next(item, cause);
        for (Throwable error : Causes.of(cause)) {
            Duration asked = hint.apply(error);
            if (asked != null) {
                return asked;
            }
        }
        return usual;
    }

    @Override
    public void forget(T item) {
        otherwise.forget(item);
    }

    @Override
    public int retries(T item) {
        return otherwise.retries(item);
    }
}
