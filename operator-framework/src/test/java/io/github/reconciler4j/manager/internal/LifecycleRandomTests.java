package io.github.reconciler4j.manager.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerStartException;
import io.github.reconciler4j.manager.StartDeferredException;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Starts and stops managers of random components, some of which wait, fail or are slow, at random moments. */
@Timeout(600)
class LifecycleRandomTests {

    private static final int SEEDS = Integer.getInteger("lifecycle.seeds", 500);

    private final Logger log = (Logger) LoggerFactory.getLogger(Lifecycle.class.getPackageName());

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    @Test
    void startAndStopWhenComponentsMisbehaveAtRandomKeepsTheOrderAndLeavesNothingBehind() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Run(seed).run();
        }
    }

    /** Time that passes by itself, a hundred times as fast as the real one and more. */
    private static final class Driver {
        private final FakeTime time;
        private final Thread thread = new Thread(this::drive, "time");
        private volatile boolean closed;

        Driver(FakeTime time) {
            this.time = time;
            thread.start();
        }

        private void drive() {
            while (!closed) {
                time.advance(Duration.ofMillis(500));
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            }
        }

        void end() throws InterruptedException {
            closed = true;
            thread.join();
        }
    }

    private static final class Run implements LifecycleHooks {
        private final String name;
        private final Random random;
        private final FakeTime time = new FakeTime();
        private final List<String> journal = new CopyOnWriteArrayList<>();
        private final List<RandomComponent> added = new CopyOnWriteArrayList<>();
        private final Lifecycle lifecycle;
        private final boolean leads;

        Run(int seed) {
            name = "seed" + seed;
            random = new Random(seed);
            leads = random.nextInt(4) > 0;
            lifecycle = new Lifecycle(name, LifecycleOptions.defaults(), time, this);
        }

        void run() throws Exception {
            Driver driver = new Driver(time);
            try {
                int early = 2 + random.nextInt(6);
                for (int i = 0; i < early; i++) {
                    add(new RandomComponent("early" + i, random.nextLong(), this));
                }
                long stopAfter = TimeUnit.SECONDS.toNanos(random.nextInt(60));
                Thread adder = new Thread(this::addLate);
                Thread stopper = new Thread(() -> {
                    pass(stopAfter);
                    lifecycle.stop();
                });
                adder.start();
                stopper.start();
                startQuietly();
                adder.join(60_000);
                stopper.join(60_000);
                lifecycle.stop();
                assertThat(adder.isAlive() || stopper.isAlive())
                        .as(name + " ends")
                        .isFalse();
                awaitThreads();
            } finally {
                driver.end();
            }
            added.forEach(this::checkEnded);
            checkOrder();
        }

        private void startQuietly() {
            try {
                lifecycle.start();
            } catch (ManagerStartException | IllegalStateException e) {
                journal.add("failed");
            }
        }

        private void addLate() {
            Random later = new Random(random.nextLong());
            for (int i = 0; i < 4; i++) {
                pass(TimeUnit.SECONDS.toNanos(later.nextInt(15)));
                add(new RandomComponent("late" + i, later.nextLong(), this));
            }
        }

        private void add(RandomComponent component) {
            try {
                lifecycle.add(component, Stage.of(component.group()));
                added.add(component);
            } catch (IllegalStateException e) {
                component.refused = true;
            }
        }

        private void pass(long nanos) {
            long end = time.nanoTime() + nanos;
            while (time.nanoTime() < end) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
        }

        private void awaitThreads() {
            Awaitility.await(name + " leaves no thread")
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().startsWith(name + "-")));
        }

        private void checkEnded(RandomComponent component) {
            assertThat(component.working)
                    .as("%s: %s works no more, %s", name, component.name(), journal)
                    .isFalse();
            assertThat(journal.stream().filter(("<" + component.name())::equals))
                    .as("%s: %s is stopped once, %s", name, component.name(), journal)
                    .hasSize(1);
        }

        private void checkOrder() {
            for (RandomComponent first : added) {
                for (RandomComponent then : added) {
                    if (first.group().compareTo(then.group()) < 0) {
                        checkOrder(first, then);
                    }
                }
            }
        }

        private void checkOrder(RandomComponent first, RandomComponent then) {
            int called = journal.indexOf(">" + then.name());
            int ready = journal.indexOf("+" + first.name());
            if (first.isPlain() && first.name().startsWith("early") && called >= 0) {
                assertThat(ready)
                        .as("%s: %s is up before %s starts, %s", name, first.name(), then.name(), journal)
                        .isBetween(0, called);
            }
            if (!then.isStuckAtStop()) {
                assertThat(journal.indexOf("-" + then.name()))
                        .as("%s: %s has ended before %s is stopped, %s", name, then.name(), first.name(), journal)
                        .isLessThan(journal.indexOf("<" + first.name()));
            }
        }

        @Override
        public void standForElection() {
            if (leads) {
                lifecycle.lead("");
            }
        }

        @Override
        public void stopping() {
            journal.add("stopping");
        }

        @Override
        public void stopped(boolean allEnded) {
            journal.add("stopped");
        }
    }

    private static final class RandomComponent implements ManagedComponent {
        private final String name;
        private final Run run;
        private final StartGroup group;
        private final int deferrals;
        private final boolean fails;
        private final long startNanos;
        private final long stopNanos;
        private final boolean failsAtStop;
        private int starts;
        private volatile boolean working;
        private volatile boolean refused;

        RandomComponent(String name, long seed, Run run) {
            Random random = new Random(seed);
            this.name = name;
            this.run = run;
            group = StartGroup.values()[random.nextInt(StartGroup.values().length)];
            deferrals = random.nextInt(5) == 0 ? 1 + random.nextInt(4) : 0;
            fails = random.nextInt(20) == 0;
            startNanos = random.nextInt(3) == 0 ? TimeUnit.MILLISECONDS.toNanos(random.nextInt(5_000)) : 0;
            stopNanos = random.nextInt(3) == 0 ? TimeUnit.MILLISECONDS.toNanos(random.nextInt(50_000)) : 0;
            failsAtStop = random.nextInt(10) == 0;
        }

        /** Whether the next group waits for it, whatever happens. */
        boolean isPlain() {
            return deferrals == 0 && !fails;
        }

        boolean isStuckAtStop() {
            // Several slow ones of later groups may have used up the grace period before.
            return stopNanos > TimeUnit.SECONDS.toNanos(4) || failsAtStop;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public StartGroup group() {
            return group;
        }

        @Override
        public void start() throws Exception {
            assertThat(refused || working)
                    .as(name + " is started once at a time")
                    .isFalse();
            run.journal.add(">" + name);
            long end = run.time.nanoTime() + startNanos;
            while (run.time.nanoTime() < end) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
            if (starts++ < deferrals) {
                throw new StartDeferredException("not yet");
            }
            if (fails) {
                throw new IllegalStateException("broken");
            }
            working = true;
            run.journal.add("+" + name);
        }

        @Override
        public void stop(Duration grace) {
            run.journal.add("<" + name);
            run.pass(stopNanos);
            working = false;
            if (failsAtStop) {
                throw new IllegalStateException("broken at stop");
            }
            run.journal.add("-" + name);
        }
    }

    @Test
    void addWhenManyThreadsAddDuringStartAndStopNeitherLosesNorDoublesAComponent() throws Exception {
        for (int seed = 0; seed < 100; seed++) {
            Run run = new Run(seed);
            List<Thread> adders = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                adders.add(new Thread(() -> {
                    for (int i = 0; i < 20; i++) {
                        run.add(new RandomComponent("t" + thread + "c" + i, 7, run));
                    }
                }));
            }
            Driver driver = new Driver(run.time);
            try {
                adders.forEach(Thread::start);
                run.startQuietly();
                run.lifecycle.stop();
                for (Thread adder : adders) {
                    adder.join();
                }
                run.awaitThreads();
            } finally {
                driver.end();
            }
            run.added.forEach(run::checkEnded);
            assertThat(run.lifecycle.statuses()).hasSameSizeAs(run.added);
        }
    }
}
