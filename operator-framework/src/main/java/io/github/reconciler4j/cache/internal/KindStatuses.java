package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.KindStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Says how a watched kind is. */
final class KindStatuses {

    private static final int MOST_MESSAGES = 10;

    private KindStatuses() {}

    static KindStatus of(KindCache kind) {
        boolean synced = kind.hasSynced();
        String trouble =
                synced ? kind.state().failure().map(SyncFailure::message).orElse("") : kind.notReadyReason();
        return new KindStatus(
                kind.info(),
                synced,
                kind.isWatched(),
                kind.state().requiresAction(),
                trouble,
                content(kind),
                activity(kind));
    }

    private static KindStatus.Content content(KindCache kind) {
        return new KindStatus.Content(
                kind.store().size(),
                kind.store().headerBytes(),
                kind.store().bodyBytes(),
                kind.undecodableObjects().size(),
                kind.undecodableObjects().messages(MOST_MESSAGES));
    }

    private static KindStatus.Activity activity(KindCache kind) {
        SyncState state = kind.state();
        return new KindStatus.Activity(
                instant(state.isSynced() ? state.syncedAt() : state.startedAt()),
                instant(kind.metrics().lastEvent()),
                Duration.ofNanos(
                        (long) (kind.feed().lagSeconds() * Duration.ofSeconds(1).toNanos())),
                state.lastFailure().map(SyncState.Failure::message).orElse(""),
                state.lastFailure().map(failure -> Instant.ofEpochMilli(failure.at())));
    }

    private static Optional<Instant> instant(long nanoTime) {
        return nanoTime == 0 ? Optional.empty() : Optional.of(Instant.now().minusNanos(System.nanoTime() - nanoTime));
    }
}
