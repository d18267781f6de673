package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one public method of the installer that takes a duration gets hostile ones. None takes a text or a number. */
class HostileInstallerOptionsTests {

    private static final CrdInstallerOptions OPTIONS = CrdInstallerOptions.defaults();

    static Stream<Duration> refused() {
        return Stream.of(
                Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void timeoutWhenNotPositiveIsRefused(Duration timeout) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withTimeout(timeout))
                .withMessage("'timeout' must be positive, was " + timeout);
    }

    static List<Duration> accepted() {
        return List.of(
                Duration.ofNanos(1),
                Duration.ofNanos(Long.MAX_VALUE),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void timeoutWhenPositiveIsShown(Duration timeout) {
        assertThat(OPTIONS.withTimeout(timeout).timeout()).isEqualTo(timeout);
        assertThat(OPTIONS.withTimeout(timeout))
                .hasToString("CrdInstallerOptions[timeout=" + timeout + ", install=true, migrateStorage=true]");
    }
}
