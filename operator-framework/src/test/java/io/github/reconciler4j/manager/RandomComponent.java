package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A component that by chance waits, fails or is slow, and writes down what it does. */
final class RandomComponent implements ManagedComponent {

    private final String name;
    private final VirtualTime time;
    private final List<String> journal;
    private final StartGroup group;
    private final int deferrals;
    private final boolean fails;
    private final Duration startTime;
    private final Duration stopTime;
    private final boolean failsAtStop;
    private int starts;
    private volatile boolean working;
    private volatile boolean refused;

    RandomComponent(String name, long seed, VirtualTime time, List<String> journal) {
        Random random = new Random(seed);
        this.name = name;
        this.time = time;
        this.journal = journal;
        group = StartGroup.values()[random.nextInt(StartGroup.values().length)];
        deferrals = random.nextInt(5) == 0 ? 1 + random.nextInt(4) : 0;
        fails = random.nextInt(20) == 0;
        startTime = random.nextInt(3) == 0 ? Duration.ofMillis(random.nextInt(5_000)) : Duration.ZERO;
        stopTime = random.nextInt(3) == 0 ? Duration.ofMillis(random.nextInt(50_000)) : Duration.ZERO;
        failsAtStop = random.nextInt(10) == 0;
    }

    /** Whether the next group waits for it in any case. */
    boolean isPlain() {
        return deferrals == 0 && !fails;
    }

    /** Whether it may be abandoned: slow ones of later groups may have used up the grace period before. */
    boolean isStuckAtStop() {
        return stopTime.compareTo(Duration.ofSeconds(4)) > 0 || failsAtStop;
    }

    boolean isWorking() {
        return working;
    }

    /** The manager did not take it, so it must never be started. */
    void refuse() {
        refused = true;
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
        assertThat(refused || working).as(name + " is started once at a time").isFalse();
        journal.add(">" + name);
        time.sleep(startTime);
        if (starts++ < deferrals) {
            throw new ComponentNotReadyException("not yet");
        }
        if (fails) {
            throw new IllegalStateException("broken");
        }
        working = true;
        journal.add("+" + name);
    }

    @Override
    public void stop(Duration grace) {
        journal.add("<" + name);
        try {
            time.sleep(stopTime);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts a stop", e);
        }
        working = false;
        if (failsAtStop) {
            throw new IllegalStateException("broken at stop");
        }
        journal.add("-" + name);
    }
}
