package io.github.reconciler4j.leaderelection.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The content of a Lease. Immutable. The times are those of the holder's clock and are for people only: the election measures
 * from when a replica has seen a change, on its own clock.
 *
 * @param holder the identity of the holder, {@code ""} for a free lease
 * @param term how long the lease lasts and how often it has changed hands
 * @param acquireTime when the holder acquired it
 * @param renewTime when the holder last renewed it
 * @since 0.1.0
 */
public record LeaseRecord(String holder, Term term, Instant acquireTime, Instant renewTime) {

    /** The longest time that a record can make others wait longer than their own options say. */
    private static final Duration MAX_LONGER = Duration.ofHours(1);

    /**
     * Duration and number of a term.
     *
     * @param seconds how long other replicas wait after they last saw the lease renewed
     * @param transitions how often the lease has changed its holder
     * @since 0.1.0
     */
    public record Term(int seconds, int transitions) {}

    /** Truncate the times to microseconds, which is what a Lease can represent. */
    public LeaseRecord {
        acquireTime = acquireTime.truncatedTo(ChronoUnit.MICROS);
        renewTime = renewTime.truncatedTo(ChronoUnit.MICROS);
    }

    int seconds() {
        return term.seconds();
    }

    /** Return the record of a lease without a former holder. */
    public static LeaseRecord first(String identity, int seconds, Instant now) {
        return new LeaseRecord(identity, new Term(seconds, 0), now, now);
    }

    /** Return the record with which a replica acquires this lease. The count starts again after the highest number. */
    public LeaseRecord acquired(String identity, int seconds, Instant now) {
        int transitions = term.transitions() == Integer.MAX_VALUE ? 0 : term.transitions() + 1;
        return new LeaseRecord(identity, new Term(seconds, transitions), now, now);
    }

    /**
     * Return how long this lease lasts after its last renewal. A replica writes the duration of its own options, which can be
     * longer while options change; one of more than an hour is from another client, as after a mistake of a person, and the own
     * one counts.
     *
     * @param own the duration of the own options
     */
    public Duration lasts(Duration own) {
        Duration stated = Duration.ofSeconds(term.seconds());
        return stated.compareTo(own) > 0 && stated.compareTo(MAX_LONGER) > 0 ? own : stated;
    }

    LeaseRecord renewed(String identity, int seconds, Instant now) {
        return new LeaseRecord(identity, new Term(seconds, term.transitions()), acquireTime, now);
    }

    /** Return the record without a holder. The short duration lets another replica acquire the lease immediately. */
    public LeaseRecord released(Instant now) {
        return new LeaseRecord("", new Term(1, term.transitions()), now, now);
    }

    /** Return whether its holder has released it, as {@link #released} does. */
    public boolean isReleased() {
        return holder.isEmpty() && term.seconds() <= 1;
    }
}
