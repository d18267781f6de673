package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.manager.Manager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments of providers that make no sense are refused by name. {@link ClusterTests} has the names of clusters. */
class HostileClusterArgumentsTests {

    private final KubeconfigFolder folder = KubeconfigFolder.of(Path.of("sample"));
    private final Manager manager = mock(Manager.class);

    static Stream<Duration> refused() {
        return Stream.of(
                Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void intervalWhenNotPositiveIsRefused(Duration interval) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> folder.withInterval(interval))
                .withMessage("'interval' must be positive, was " + interval);
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
    void intervalWhenPositiveKeepsTheFolder(Duration interval) {
        assertThat(folder.withInterval(interval)).hasToString("KubeconfigFolder[sample]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void namespaceAndKeyWhenBlankAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KubeconfigSecrets.in(manager, text))
                .withMessage("'namespace' must not be blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KubeconfigSecrets.in(manager, "fleet").withKey(text))
                .withMessage("'key' must not be blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a in (", "a=b=c", "!"})
    void labelSelectorWhenItIsNoneIsRefused(String selector) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KubeconfigSecrets.in(manager, "fleet").withLabelSelector(selector))
                .withMessageStartingWith("'labelSelector' is not valid: ");
    }
}
