package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The settings of a test that its API server does not have are named. */
@ExtendWith(OutputCaptureExtension.class)
class IgnoredSettingsTests {

    private static final String PROPERTY = "reconciler4j.test.cluster";

    @AfterEach
    void restore() {
        System.clearProperty(PROPERTY);
    }

    private static void create(Class<?> testClass) {
        assertThat(new OperatorTestContextCustomizerFactory().createContextCustomizer(testClass, List.of()))
                .isNotNull();
    }

    @Test
    void settingsWhenTheServerIsRealAreNamed(CapturedOutput output) {
        System.setProperty(PROPERTY, "assets");
        create(Demanding.class);
        assertThat(output)
                .contains(Demanding.class.getName())
                .contains(
                        "cluster = [deployment, job] and kubernetes = \"1.31\" and server = Change.class and roles = [a.yaml]")
                .contains("runsDeployments");
    }

    @Test
    void settingsWhenTheServerHasThemAreNotNamed(CapturedOutput output) {
        create(Demanding.class);
        System.setProperty(PROPERTY, "assets");
        create(Modest.class);
        assertThat(output).doesNotContain("ignores");
    }

    @OperatorTest(
            cluster = {"deployment", "job"},
            kubernetes = "1.31",
            server = Change.class,
            roles = "a.yaml")
    static class Demanding {}

    @OperatorTest
    static class Modest {}

    static class Change implements ServerCustomizer {

        @Override
        public KubernetesServerBuilder customize(KubernetesServerBuilder builder) {
            return builder;
        }
    }
}
