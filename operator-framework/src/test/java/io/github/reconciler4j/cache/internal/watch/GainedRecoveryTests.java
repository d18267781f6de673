package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.LogLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A list of gained parts shows that the API server answers, and says nothing about the position of the watch. */
class GainedRecoveryTests {

    private static final KindInfo PODS = new KindInfo(KindName.of("v1", "Pod"), "pods", true);

    private final Scope scope = new Scope(PODS, "", ObjectSelector.everything(), List.of());
    private final ManualTimeSource time = new ManualTimeSource();
    private final SyncState state = new SyncState(time);
    private final Recovery recovery = new Recovery(
            scope, state, WatchOptions.defaults(), time, new LogLimiter(Duration.ofMinutes(1), time), () -> 0);

    GainedRecoveryTests() {
        state.started();
        state.planned(List.of(scope));
        recovery.listed();
    }

    private void refused() {
        ApiException failure = new ApiException("refused", ErrorDetails.of(500, ""));
        recovery.failed(SyncFailure.of(failure, scope, "watch"), failure);
    }

    private void silent() {
        recovery.opened();
        time.advance(Duration.ofSeconds(200));
        recovery.ended(false);
    }

    @Test
    void gainedEndsTheFailure() {
        refused();
        assertThat(state.failure()).isPresent();
        recovery.gained();
        assertThat(state.failure()).isEmpty();
    }

    @Test
    void gainedWhenRequestsWereRefusedStillCountsThem() {
        refused();
        refused();
        refused();
        recovery.gained();
        assertThat(recovery.mustList()).isFalse();
        refused();
        assertThat(recovery.mustList()).isTrue();
    }

    @Test
    void gainedWhenWatchesWereSilentStillCountsThem() {
        silent();
        recovery.gained();
        assertThat(recovery.mustList()).isFalse();
        silent();
        assertThat(recovery.mustList()).isTrue();
    }

    @Test
    void gainedWhenWatchesWereBrokenStillCountsThem() {
        for (int i = 0; i < 4; i++) {
            recovery.gained();
            recovery.opened();
            assertThat(recovery.mustList()).isFalse();
            recovery.ended(false);
        }
        assertThat(recovery.mustList()).isTrue();
    }

    /** Other parts end a watch before it has delivered anything, and the list of what was gained fails. */
    @Test
    void failedWhenAWatchWasClosedForOtherPartsCountsNoBrokenWatch() {
        for (int i = 0; i < 10; i++) {
            recovery.opened();
            recovery.started();
            IOException cut = new IOException("cut");
            recovery.failed(SyncFailure.of(cut, scope, "list"), cut);
        }
        assertThat(recovery.mustList()).isFalse();
        recovery.gained();
        assertThat(state.failure()).as("the list of what was gained worked").isEmpty();
    }
}
