package io.github.reconciler4j.workqueue;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks through an error and its causes. */
final class Causes {

    /** Causes may form a circle. */
    private static final int MAX_DEPTH = 32;

    private Causes() {}

    /** The first answer for the error, then its cause, and so on; null if there is none. */
    static <R> @Nullable R first(@Nullable Throwable error, Function<Throwable, @Nullable R> question) {
        Throwable current = error;
        for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
            R answer = question.apply(current);
            if (answer != null) {
                return answer;
            }
            current = current.getCause();
        }
        return null;
    }
}
