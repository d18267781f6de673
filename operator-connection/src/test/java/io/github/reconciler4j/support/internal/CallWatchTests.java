package io.github.reconciler4j.support.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.support.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class CallWatchTests {

    private static final int CASES = Integer.getInteger("calls.cases", 300);
    private static final Set<UserCall.Kind> HARMLESS = EnumSet.of(UserCall.Kind.POLL, UserCall.Kind.CLUSTER_LISTENER);

    private final ManualTimeSource time = new ManualTimeSource();
    private final CallWatch watch = new CallWatch("test", time);
    private final Logger log = (Logger) LoggerFactory.getLogger(CallWatch.class);
    private final CapturedLog lines = CapturedLog.of(CallWatch.class.getName());

    @BeforeEach
    void silenceTheLog() {
        log.setAdditive(false);
    }

    @AfterEach
    void closeLog() {
        lines.close();
        log.setAdditive(true);
    }

    /** A thread that enters and leaves calls. */
    private static final class Caller implements AutoCloseable {
        private final ExecutorService executor =
                Executors.newSingleThreadExecutor(task -> Threads.daemon("caller", task));
        private final List<UserCall> calls = new ArrayList<>();

        void enter(UserCall.Kind kind, String owner, Object subject) {
            run(() -> calls.add(UserCall.enter(kind, owner, subject)));
        }

        void exit() {
            run(() -> calls.remove(calls.size() - 1).exit());
        }

        private void run(Runnable step) {
            try {
                executor.submit(step).get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }

    private void pass(Duration passed) {
        pass(passed, () -> {});
    }

    private void pass(Duration passed, Runnable looked) {
        Duration left = passed;
        do {
            Duration step = left.compareTo(CallWatch.LONGEST_PAUSE) < 0 ? left : CallWatch.LONGEST_PAUSE;
            time.advance(step);
            watch.look();
            looked.run();
            left = left.minus(step);
        } while (!left.isZero());
    }

    private List<String> lines(String text) {
        return lines.lines(Level.INFO).stream()
                .filter(line -> line.contains(text))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(value = UserCall.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "RECONCILER")
    void lookWhenCallDoesNotReturnNamesItUntilItDoes(UserCall.Kind kind) {
        try (Caller caller = new Caller()) {
            caller.enter(kind, "owner-of-it", "a/b");
            pass(Duration.ZERO);
            pass(Duration.ofSeconds(59));
            assertThat(watch.overdue()).isEmpty();
            pass(Duration.ofSeconds(1));
            assertThat(watch.overdue()).containsExactly(kind + " of owner-of-it for a/b, for 60 s");
            pass(Duration.ofSeconds(1));
            assertThat(lines("does not return"))
                    .singleElement()
                    .asString()
                    .contains(kind + " of owner-of-it for a/b, for 60 s", "thread caller is at ", "(")
                    .doesNotContain("\n");
            assertThat(watch.isFatal()).isFalse();
            pass(Duration.ofMinutes(4));
            assertThat(watch.isFatal()).isNotEqualTo(HARMLESS.contains(kind));
            caller.exit();
            assertThat(watch.overdue()).isEmpty();
            assertThat(watch.isFatal()).isFalse();
            pass(Duration.ofSeconds(1));
            assertThat(lines("has returned")).hasSize(1);
        }
    }

    @Test
    void lookWhenReconciliationDoesNotReturnLeavesItToItsController() {
        try (Caller caller = new Caller()) {
            caller.enter(UserCall.Kind.RECONCILER, "controller", "a/b");
            pass(Duration.ZERO);
            pass(Duration.ofHours(1));
            assertThat(watch.overdue()).isEmpty();
            caller.exit();
        }
    }

    /** A machine that was suspended over night, or a process that a debugger or a full node stopped. */
    @Test
    void lookWhenTheProcessStoodStillDoesNotBlameTheCallback() {
        try (Caller caller = new Caller()) {
            caller.enter(UserCall.Kind.INDEX, "'byNode' of pods", "a/b");
            pass(Duration.ZERO);
            for (int i = 0; i < 5; i++) {
                time.advance(Duration.ofHours(8));
                watch.look();
            }
            assertThat(watch.overdue()).isEmpty();
            assertThat(lines.events()).isEmpty();
            pass(Duration.ofSeconds(10));
            assertThat(watch.overdue()).containsExactly("index function of 'byNode' of pods for a/b, for 60 s");
            assertThat(watch.isFatal()).isFalse();
            pass(Duration.ofMinutes(4));
            assertThat(watch.isFatal()).isTrue();
            caller.exit();
        }
    }

    @Test
    void lookWhenOneCallFollowsAnotherDoesNotAddTheirTimes() {
        try (Caller caller = new Caller()) {
            for (int i = 0; i < 100; i++) {
                caller.enter(UserCall.Kind.HANDLER, "controller", "a/b");
                pass(Duration.ofSeconds(30));
                caller.exit();
            }
            assertThat(lines.events()).isEmpty();
        }
    }

    @Test
    void lookWhenInnerCallsReturnAgainAndAgainNamesTheOuterOne() {
        try (Caller caller = new Caller()) {
            caller.enter(UserCall.Kind.LISTENER, "controller", "a/b");
            for (int i = 0; i < 7; i++) {
                caller.enter(UserCall.Kind.MAPPER, "", null);
                pass(Duration.ofSeconds(10));
                caller.exit();
            }
            assertThat(watch.overdue()).containsExactly("mapper of controller for a/b, for 60 s");
            caller.exit();
        }
    }

    @Test
    void lookWhenTextsAreHostileWritesOneLimitedLine() {
        try (Caller caller = new Caller()) {
            caller.enter(UserCall.Kind.INDEX, "x\n2026 forged" + "y".repeat(100_000), List.of("secret"));
            pass(Duration.ZERO);
            pass(Duration.ofMinutes(1));
            assertThat(lines("does not return").get(0))
                    .doesNotContain("\n", "secret")
                    .hasSizeLessThan(3_000);
            caller.exit();
        }
    }

    @Test
    void lookWhenHundredThreadsDoNotReturnWritesOneLine() {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            callers.add(new Caller());
            callers.get(i).enter(UserCall.Kind.INDEX, "'byNode' of pods", "a/" + i);
        }
        pass(Duration.ZERO);
        pass(Duration.ofMinutes(1));
        assertThat(watch.overdue()).hasSize(100);
        assertThat(lines("does not return")).hasSize(1);
        callers.forEach(Caller::exit);
        pass(Duration.ofSeconds(1));
        assertThat(lines("returned").size()).isLessThanOrEqualTo(1);
        callers.forEach(Caller::close);
    }

    @Test
    void currentWhenThreadHasEndedForgetsIt() throws Exception {
        Thread thread = Threads.daemon(
                "ends",
                () -> UserCall.enter(UserCall.Kind.INDEX, "ended", "a/b").exit());
        thread.start();
        thread.join();
        assertThat(UserCall.current().stream().map(UserCall::describe)).noneMatch(text -> text.contains("ended"));
    }

    /** Threads enter, leave and nest calls at random; the watch agrees with a simple model of it. */
    @Test
    void lookWhenCallsComeAndGoAtRandomNamesThoseThatDoNotReturn() {
        long seed = Long.getLong("calls.seed", new Random().nextLong());
        Random random = new Random(seed);
        UserCall.Kind[] kinds = UserCall.Kind.values();
        for (int i = 0; i < CASES; i++) {
            List<ModelledThread> threads = List.of(new ModelledThread(), new ModelledThread(), new ModelledThread());
            try {
                for (int step = 0; step < 20; step++) {
                    threads.get(random.nextInt(threads.size())).step(random, kinds, i + "." + step);
                    Set<String> expected = new TreeSet<>();
                    pass(Duration.ofSeconds(random.nextInt(40)), () -> {
                        expected.clear();
                        threads.forEach(thread -> thread.look(time.nanoTime(), expected));
                    });
                    assertThat(new TreeSet<>(watch.overdue()))
                            .as("seed %d, case %d, step %d", seed, i, step)
                            .isEqualTo(expected);
                }
            } finally {
                threads.forEach(ModelledThread::close);
            }
            watch.look();
        }
    }

    /** A thread and a model of its calls. */
    private static final class ModelledThread implements AutoCloseable {
        private final Caller caller = new Caller();
        private final List<ModelledCall> calls = new ArrayList<>();

        private static final class ModelledCall {
            private final UserCall.Kind kind;
            private final String owner;
            private long seen = -1;

            ModelledCall(UserCall.Kind kind, String owner) {
                this.kind = kind;
                this.owner = owner;
            }
        }

        void step(Random random, UserCall.Kind[] kinds, String name) {
            if (!calls.isEmpty() && random.nextInt(3) == 0) {
                caller.exit();
                calls.remove(calls.size() - 1);
            } else if (calls.size() < 4 && random.nextInt(3) == 0) {
                UserCall.Kind kind = kinds[random.nextInt(kinds.length)];
                caller.enter(kind, name, "k");
                calls.add(new ModelledCall(kind, name));
            }
        }

        void look(long now, Set<String> late) {
            if (calls.isEmpty() || calls.get(calls.size() - 1).kind == UserCall.Kind.RECONCILER) {
                calls.forEach(call -> call.seen = -1); // a reconciliation hides what is around it
                return;
            }
            int outer = calls.size() - 1;
            while (outer > 0 && calls.get(outer - 1).kind != UserCall.Kind.RECONCILER) {
                outer--;
            }
            ModelledCall first = calls.get(outer);
            if (first.seen < 0) {
                first.seen = now;
            }
            for (int i = 0; i < outer; i++) {
                calls.get(i).seen = -1;
            }
            if (now - first.seen >= CallWatch.REPORTED_AFTER.toNanos()) {
                ModelledCall last = calls.get(calls.size() - 1);
                late.add(last.kind + " of " + last.owner + " for k, for " + (now - first.seen) / 1_000_000_000 + " s");
            }
        }

        @Override
        public void close() {
            while (!calls.isEmpty()) {
                caller.exit();
                calls.remove(calls.size() - 1);
            }
            caller.close();
        }
    }
}
