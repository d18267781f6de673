package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.leaderelection.internal.Simulation;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

/**
 * The clock of a machine, which is not as fast as those of others. The wall clock of some machines is set, to anything; others sleep,
 * and their monotonic time stands still meanwhile. A wall clock that is set back while the machine sleeps hides the sleep.
 */
final class SimulatedClock implements TimeSource {

    /** Within the factor that fences allow for, see {@link LeaseFence}: 1.5 by default. */
    private static final double FASTEST = 1.4;

    private final Simulation simulation;
    private final Random chance;
    private final double rate;
    private final boolean sleeps;

    /** By how much the wall clock was set. */
    private Duration set = Duration.ZERO;

    /** How long the machine has slept before, and when it fell asleep last, and woke up. */
    private long slept;

    private long asleepSince;
    private long awakeFrom;

    SimulatedClock(Simulation simulation, boolean faults, Random chance) {
        this.simulation = simulation;
        this.chance = chance;
        rate = faults ? 1 + (FASTEST - 1) * chance.nextDouble() : 1;
        sleeps = faults && chance.nextBoolean();
    }

    /** Sets the wall clock, or puts the machine to sleep for the time that is returned. */
    Optional<Duration> spoil() {
        if (!sleeps) {
            long most = chance.nextBoolean()
                    ? Duration.ofDays(4000).toNanos()
                    : Duration.ofSeconds(30).toNanos();
            set = Duration.ofNanos((long) ((2 * chance.nextDouble() - 1) * most));
            return Optional.empty();
        }
        long now = simulation.now();
        if (now < awakeFrom) {
            return Optional.empty();
        }
        slept += awakeFrom - asleepSince;
        asleepSince = now;
        awakeFrom = now + Duration.ofMillis(chance.nextInt(60_000)).toNanos();
        return Optional.of(Duration.ofNanos(awakeFrom - now));
    }

    /** Returns when the machine is awake, or was the last time. */
    long awakeFrom() {
        return awakeFrom;
    }

    /** Returns how long a time of this clock is. */
    long real(Duration own) {
        return (long) (own.toNanos() / rate);
    }

    @Override
    public long nanoTime() {
        long sleeping = Math.min(simulation.now(), awakeFrom) - asleepSince;
        return (long) ((simulation.now() - slept - sleeping) * rate);
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos((long) (simulation.now() * rate)).plus(set);
    }
}
