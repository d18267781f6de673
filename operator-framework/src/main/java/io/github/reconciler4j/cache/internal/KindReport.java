package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.watch.SyncFailure;
import io.github.reconciler4j.cache.internal.watch.SyncState;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Reports the state of a kind as status and as gauges. Thread-safe. */
final class KindReport {

    private static final int MAX_MESSAGES = 10;
    private static final int VERSION_DIGITS = 15;

    private final Supplier<KindStore> kind;

    /** Create the report of the store that the kind has when it is read. */
    KindReport(Supplier<KindStore> kind) {
        this.kind = kind;
    }

    private record Status(
            KindInfo kind,
            boolean synced,
            boolean watched,
            boolean requiresAction,
            String failure,
            Content content,
            Activity activity)
            implements KindStatus {}

    private record StatusContent(
            int objects,
            boolean metadataOnly,
            long headerBytes,
            long bodyBytes,
            int pendingWrites,
            int undecodableObjects,
            List<String> undecodableObjectMessages)
            implements KindStatus.Content {}

    private record StatusActivity(
            Optional<Instant> since,
            Optional<Instant> lastEvent,
            Duration staleness,
            Optional<KindStatus.InitialSync> initialSync,
            Duration lag,
            List<BusyKeys.Rate<ObjectKey>> busyObjects,
            String lastError,
            Optional<Instant> lastErrorAt)
            implements KindStatus.Activity {}

    private record StatusSync(int objects, Duration elapsed, OptionalLong remaining)
            implements KindStatus.InitialSync {}

    /** Return the status of a kind now. */
    static KindStatus of(KindStore kind) {
        SyncState state = kind.state();
        boolean synced = state.isSynced();
        String failure = synced ? state.failure().map(SyncFailure::message).orElse("") : kind.notReadyReason();
        return new Status(
                kind.info(),
                synced,
                kind.isWatched(),
                state.requiresAction(),
                failure,
                new StatusContent(
                        kind.store().size(),
                        kind.isMetadataOnly(),
                        kind.store().headerBytes(),
                        kind.store().bodyBytes(),
                        kind.pendingWrites(),
                        kind.undecodable().size(),
                        kind.undecodable().messages(MAX_MESSAGES)),
                activity(kind));
    }

    private static KindStatus.Activity activity(KindStore kind) {
        SyncState state = kind.state();
        TimeSource time = kind.time();
        long now = time.nanoTime();
        Optional<Instant> since = state.isStarted()
                ? Optional.of(
                        time.instant().minusNanos(now - (state.isSynced() ? state.syncedAt() : state.startedAt())))
                : Optional.empty();
        long lastEvent = lastEvent(kind);
        Optional<SyncState.PastFailure> failure = state.lastFailure();
        return new StatusActivity(
                since,
                lastEvent == 0 ? Optional.empty() : Optional.of(time.instant().minusNanos(now - lastEvent)),
                Duration.ofNanos(staleness(kind, now)),
                state.isStarted() && !state.isSynced()
                        ? Optional.of(new StatusSync(
                                state.listing(), Duration.ofNanos(now - state.startedAt()), state.remaining()))
                        : Optional.empty(),
                Duration.ofNanos((long) (kind.lagSeconds() * TimeUnit.SECONDS.toNanos(1))),
                kind.busy(),
                failure.map(SyncState.PastFailure::message).orElse(""),
                failure.map(SyncState.PastFailure::at));
    }

    private static long lastEvent(KindStore kind) {
        long last = 0;
        for (ScopeWatches.Watch watch : kind.watches().all()) {
            long at = watch.store().progress().eventAt();
            last = at != 0 && (last == 0 || at - last > 0) ? at : last;
        }
        return last;
    }

    /** Return the time since anything was received, of the watch for which that is longest ago. */
    private static long staleness(KindStore kind, long now) {
        long longest = 0;
        for (ScopeWatches.Watch watch : kind.watches().all()) {
            WatchProgress progress = watch.store().progress();
            longest = progress.position().isEmpty() ? longest : Math.max(longest, now - progress.receivedAt());
        }
        return longest;
    }

    /** Register the gauges of the kind. */
    void register(KindMetrics metrics) {
        registerContent(metrics);
        registerProgress(metrics);
        metrics.informer(() -> kind.get().undelivered(), this::storeVersion);
    }

    /** Return the version of the watch that is farthest behind, without the digits that a gauge cannot represent. */
    private double storeVersion() {
        String lowest = "";
        for (ScopeWatches.Watch watch : kind.get().watches().all()) {
            String position = watch.store().progress().position();
            boolean lower = position.length() < lowest.length()
                    || position.length() == lowest.length() && position.compareTo(lowest) < 0;
            lowest = lowest.isEmpty() || lower ? position : lowest;
        }
        String digits = lowest.substring(Math.max(0, lowest.length() - VERSION_DIGITS));
        return digits.chars().allMatch(Character::isDigit) && !digits.isEmpty() ? Long.parseLong(digits) : 0;
    }

    private void registerContent(KindMetrics metrics) {
        metrics.gauge(
                "objects", "Objects in the cache", () -> kind.get().store().size());
        metrics.gauge(
                "body_bytes",
                "Bytes of the encoded bodies of objects in the cache",
                () -> kind.get().store().bodyBytes());
        metrics.gauge(
                "header_bytes",
                "Estimated bytes of the headers of objects in the cache",
                () -> kind.get().store().headerBytes());
        metrics.gauge(
                "undecodable_objects",
                "Objects that do not fit the class they were read into",
                () -> kind.get().undecodable().size());
        metrics.gauge(
                "pending_writes",
                "Writes of this program that reads include and the watch has not delivered yet",
                () -> kind.get().pendingWrites());
    }

    private void registerProgress(KindMetrics metrics) {
        metrics.gauge(
                "synced", "1 if the initial list is complete", () -> kind.get().hasSynced(false) ? 1 : 0);
        metrics.gauge(
                "blocked",
                "1 if the kind, a permission or accepted credentials are missing",
                () -> kind.get().state().requiresAction() ? 1 : 0);
        metrics.gauge(
                "listing_objects",
                "Objects received of a list that is not complete yet",
                () -> kind.get().state().listing());
        metrics.gauge(
                "sync_seconds", "Time from the start of the watch to the first complete list", this::secondsToSync);
        metrics.gauge(
                "lag_seconds",
                "How long the oldest change has been waiting in a subscription",
                () -> kind.get().lagSeconds());
        metrics.gauge(
                "busy_objects",
                "Objects that change more than ten times per second",
                () -> kind.get().busy().size());
        metrics.gauge("last_event_age_seconds", "Time since a watch delivered an event or bookmark", this::eventAge);
        metrics.gauge(
                "staleness_seconds",
                "Time since the API server sent something, for the watch for which it is longest",
                () -> seconds(staleness(kind.get(), now())));
    }

    private long now() {
        return kind.get().time().nanoTime();
    }

    private double secondsToSync() {
        SyncState state = kind.get().state();
        return state.isSynced() ? seconds(state.syncedAt() - state.startedAt()) : 0;
    }

    private double eventAge() {
        long last = lastEvent(kind.get());
        return last == 0 ? 0 : seconds(now() - last);
    }

    private static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
