package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a container waits for its next start. */
class RestartBackoffTests {

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 10", "2, 20", "3, 40", "5, 160", "6, 300", "99, 300"})
    void afterWhenAContainerHasFailedOftenGrows(int restarts, long seconds) {
        assertThat(RestartBackoff.KUBELET.after(restarts, Duration.ofSeconds(1)))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void afterWhenAContainerHasRunLongStartsAnew() {
        assertThat(RestartBackoff.KUBELET.after(7, Duration.ofMinutes(10))).isZero();
    }
}
