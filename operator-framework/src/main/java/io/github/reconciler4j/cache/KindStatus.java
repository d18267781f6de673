package io.github.reconciler4j.cache;

import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.BusyKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a watched kind at one moment. Immutable.
 *
 * @since 0.1.0
 */
public interface KindStatus {

    /** Return the kind. */
    KindInfo kind();

    /** Return whether the initial list is complete. */
    boolean synced();

    /** Return whether every thread that watches the kind is alive, or was stopped. One that is not does not come back. */
    boolean watched();

    /**
     * Return whether a failure does not recover without a person: a CustomResourceDefinition or a permission is missing, or
     * the credentials are not accepted.
     */
    boolean requiresAction();

    /** Return the current failure with advice; {@code ""} without a failure. Before the sync, return what it waits for. */
    String failure();

    /** Return what is stored of the kind. */
    Content content();

    /** Return what happened to the kind. */
    Activity activity();

    /** Return the number of stored objects. */
    default int objects() {
        return content().objects();
    }

    /**
     * What is stored of a kind. Immutable.
     *
     * @since 0.1.0
     */
    interface Content {

        /** Return the number of objects. */
        int objects();

        /** Return whether the kind is watched as metadata only. */
        boolean metadataOnly();

        /** Return the estimated number of bytes of the headers. */
        long headerBytes();

        /** Return the number of bytes of the encoded bodies. */
        long bodyBytes();

        /** Return the number of this program's writes that reads include and the watch has not delivered yet. */
        int pendingWrites();

        /** Return the number of objects that did not fit the class they were read into. */
        int undecodableObjects();

        /** Return the first ten messages about such objects, sorted; they name object, class and field, never content. */
        List<String> undecodableObjectMessages();
    }

    /**
     * What happened to a kind. Immutable.
     *
     * @since 0.1.0
     */
    interface Activity {

        /** Return when the initial list was complete; before that, when the watch started; empty before the start. */
        Optional<Instant> since();

        /** Return when a watch delivered an event or a bookmark last. */
        Optional<Instant> lastEvent();

        /**
         * Return how old the content may be: the time since the API server sent a list, an event or a bookmark, for the watch
         * for which that is longest. API servers send a bookmark about once a minute. Zero before the first list.
         */
        Duration staleness();

        /** Return the progress of the initial list; empty once it is complete, and before the start. */
        Optional<InitialSync> initialSync();

        /** Return how long the oldest change has been waiting in a subscription. */
        Duration lag();

        /**
         * Return the objects that change more than ten times per second, the busiest first. Every change costs this process time,
         * also if no controller reconciles it.
         */
        List<BusyKeys.Rate<ObjectKey>> busyObjects();

        /** Return the last failure, which may be over; {@code ""} if there was none. */
        String lastError();

        /** Return when the last failure occurred. */
        Optional<Instant> lastErrorAt();
    }

    /**
     * The progress of an initial list. Immutable.
     *
     * @since 0.1.0
     */
    interface InitialSync {

        /** Return the number of objects received so far. */
        int objects();

        /** Return the time since the watch started. */
        Duration elapsed();

        /**
         * Return about how many objects are left. Empty if the API server has not said so: it does for lists with pages, it is asked
         * for the number when a list takes more than ten seconds, and it does not know it for lists with selectors.
         */
        OptionalLong remaining();

        /** Return the average number of objects received per second. */
        default double objectsPerSecond() {
            return elapsed().isZero() ? 0 : objects() * 1e9 / elapsed().toNanos();
        }
    }
}
