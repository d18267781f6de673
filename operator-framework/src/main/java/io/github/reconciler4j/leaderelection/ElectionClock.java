package io.github.reconciler4j.leaderelection;

import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/** Time and chance as an election sees them, so that tests can play both. Safe for use by many threads. */
interface ElectionClock {

    /** The real time and real chance. */
    ElectionClock SYSTEM = new ElectionClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }
    };

    /** A clock that never goes back; only differences mean something. */
    long nanoTime();

    /** The time of day. */
    Instant instant();

    /** A number from 0 to 1. */
    double random();
}
