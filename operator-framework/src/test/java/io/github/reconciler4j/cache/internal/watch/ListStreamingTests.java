package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ListStreamingTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final ListStreaming streaming = new ListStreaming(true, time);

    private void pass(long seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    @Test
    void isDueWhenItFailedIsFalseForAMinuteThenTwo() {
        assertThat(streaming.isDue()).isTrue();
        streaming.failed();
        assertThat(streaming.isDue()).isFalse();
        pass(59);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();

        streaming.failed();
        pass(119);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItFailsForeverIsTrueOnceAnHour() {
        for (int i = 0; i < 100; i++) {
            streaming.failed();
        }
        pass(3599);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItWorkedInBetweenIsFalseForOneMinuteOnly() {
        streaming.failed();
        streaming.failed();
        streaming.worked();
        assertThat(streaming.isDue()).isTrue();
        streaming.failed();
        pass(60);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItIsNotWantedIsNever() {
        assertThat(new ListStreaming(false, time).isDue()).isFalse();
    }
}
