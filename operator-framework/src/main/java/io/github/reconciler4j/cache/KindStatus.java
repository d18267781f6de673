package io.github.reconciler4j.cache;

import io.github.reconciler4j.scheme.KindInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a watched kind is. Immutable.
 *
 * @param kind the kind
 * @param synced whether the first list has been taken in completely
 * @param watched whether every thread that follows it lives, or was told to end; a dead one does not come back
 * @param requiresAction whether something is wrong that does not mend by itself: a missing CustomResourceDefinition, a
 *     missing right, credentials that are not accepted
 * @param failure what is wrong now, {@code ""} if nothing is; also after the first sync
 * @param content what is held of it
 * @param activity what went on
 * @since 0.1.0
 */
public record KindStatus(
        KindInfo kind,
        boolean synced,
        boolean watched,
        boolean requiresAction,
        String failure,
        Content content,
        Activity activity) {

    /**
     * What is held of a kind.
     *
     * @param objects how many objects
     * @param headerBytes the memory their headers take, estimated
     * @param bodyBytes the memory their bodies take as they are kept
     * @param undecodableObjects how many of them did not fit the class somebody wanted to read them into
     * @param undecodableObjectMessages what is wrong with the first ten of those, in the order of the messages; each names the
     *     object, the class and the field, never content
     * @since 0.1.0
     */
    public record Content(
            int objects,
            long headerBytes,
            long bodyBytes,
            int undecodableObjects,
            List<String> undecodableObjectMessages) {}

    /**
     * What went on with a kind.
     *
     * @param since when the first list was complete; before that, when the watch began; empty before start
     * @param lastEvent when a watch brought anything last, a bookmark included
     * @param lag the longest time a change has been waiting in a subscription
     * @param lastError what went wrong last, also if it works again; {@code ""} if nothing did
     * @param lastErrorAt when that was
     * @since 0.1.0
     */
    public record Activity(
            Optional<Instant> since,
            Optional<Instant> lastEvent,
            Duration lag,
            String lastError,
            Optional<Instant> lastErrorAt) {}

    /** How many objects of it are held. */
    public int objects() {
        return content.objects();
    }
}
