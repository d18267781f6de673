package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.support.internal.UserCall;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the watch over callbacks adds to a call of user code: the difference between a watched and a bare call. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgs = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class UserCallBenchmark {

    private final IntUnaryOperator callback = value -> value + 1;
    private int value;

    /** The call alone. */
    @Benchmark
    public int bare() {
        value = callback.applyAsInt(value);
        return value;
    }

    /** As the framework calls it. */
    @Benchmark
    public int watched() {
        UserCall call = UserCall.enter(UserCall.Kind.PREDICATE, "benchmark", this);
        try {
            value = callback.applyAsInt(value);
        } finally {
            call.exit();
        }
        return value;
    }

    /** A callback within another, as a predicate within a listener. */
    @Benchmark
    public int watchedWithin() {
        UserCall outer = UserCall.enter(UserCall.Kind.LISTENER, "benchmark", this);
        try {
            return watched();
        } finally {
            outer.exit();
        }
    }
}
