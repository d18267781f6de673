package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.manager.internal.lifecycle.LifecycleHooks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
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
    void startAndStopWhenComponentsMisbehaveAtRandomKeepsTheOrderAndEndsAllThreads() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Run(seed).run();
        }
    }

    @Test
    void addWhenManyThreadsAddDuringStartAndStopNeitherLosesNorDoublesAComponent() throws Exception {
        for (int seed = 0; seed < 100; seed++) {
            Run run = new Run(seed);
            List<Thread> adders = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                adders.add(new Thread(
                        () -> {
                            for (int i = 0; i < 20; i++) {
                                run.add(run.component("t" + thread + "c" + i, 7));
                            }
                        },
                        run.name + "-adder" + thread));
            }
            try (VirtualTime time = run.time) {
                time.start(run.lifecycle);
                adders.forEach(Thread::start);
                run.startQuietly();
                run.lifecycle.stop();
                for (Thread adder : adders) {
                    adder.join();
                }
                run.awaitThreads();
            }
            run.added.forEach(run::checkEnded);
            assertThat(run.lifecycle.statuses()).hasSameSizeAs(run.added);
        }
    }

    /** One manager, from its making to its end. */
    private static final class Run implements LifecycleHooks {
        private final String name;
        private final Random random;
        private final VirtualTime time;
        private final List<String> journal = new CopyOnWriteArrayList<>();
        private final List<RandomComponent> added = new CopyOnWriteArrayList<>();
        private final Lifecycle lifecycle;
        private final boolean leads;

        Run(int seed) {
            name = "seed" + seed;
            time = new VirtualTime(name + "-");
            random = new Random(seed);
            leads = random.nextInt(4) > 0;
            lifecycle = new Lifecycle(name, LifecycleOptions.defaults(), time, this);
        }

        void run() throws Exception {
            try (time) {
                time.start(lifecycle);
                int early = 2 + random.nextInt(6);
                for (int i = 0; i < early; i++) {
                    add(component("early" + i, random.nextLong()));
                }
                Duration stopAfter = Duration.ofSeconds(random.nextInt(60));
                Thread adder = new Thread(this::addLate, name + "-adder");
                Thread stopper = new Thread(
                        () -> {
                            sleep(stopAfter);
                            lifecycle.stop();
                        },
                        name + "-stopper");
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
                sleep(Duration.ofSeconds(later.nextInt(15)));
                add(component("late" + i, later.nextLong()));
            }
        }

        private RandomComponent component(String component, long seed) {
            return new RandomComponent(component, seed, time, journal);
        }

        private void add(RandomComponent component) {
            try {
                lifecycle.add(List.of(component));
                added.add(component);
            } catch (IllegalStateException e) {
                component.refuse();
            }
        }

        private void sleep(Duration duration) {
            try {
                time.sleep(duration);
            } catch (InterruptedException e) {
                throw new IllegalStateException(name + ": nothing interrupts this thread", e);
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
            assertThat(component.isWorking())
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
        public void campaign() {
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
}
