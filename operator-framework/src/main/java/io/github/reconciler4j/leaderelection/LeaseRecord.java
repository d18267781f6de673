package io.github.reconciler4j.leaderelection;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a Lease says. Immutable. The times in it come from the holder's clock and are for people: election goes by when
 * a change was seen, on the observer's own clock.
 *
 * @param holder the identity of the holder, {@code ""} if nobody holds it
 * @param leaseSeconds how many seconds others wait after they last saw it renewed
 * @param acquireTime when the holder took it
 * @param renewTime when the holder last renewed it
 * @param transitions how often it went from one holder to another
 * @since 0.1.0
 */
public record LeaseRecord(String holder, int leaseSeconds, Instant acquireTime, Instant renewTime, int transitions) {

    /** Cuts the times to microseconds, which is what a Lease can hold. */
    public LeaseRecord {
        acquireTime = acquireTime.truncatedTo(ChronoUnit.MICROS);
        renewTime = renewTime.truncatedTo(ChronoUnit.MICROS);
    }

    /** A lease nobody held before. */
    static LeaseRecord first(String identity, int seconds, Instant now) {
        return new LeaseRecord(identity, seconds, now, now, 0);
    }

    /** The same, gone over to another holder. */
    LeaseRecord taken(String identity, int seconds, Instant now) {
        return new LeaseRecord(identity, seconds, now, now, transitions + 1);
    }

    /** The same, renewed by its holder. */
    LeaseRecord renewed(String identity, int seconds, Instant now) {
        return new LeaseRecord(identity, seconds, acquireTime, now, transitions);
    }

    /** The same without a holder; the short time lets others take it at once. */
    LeaseRecord released(Instant now) {
        return new LeaseRecord("", 1, now, now, transitions);
    }
}
