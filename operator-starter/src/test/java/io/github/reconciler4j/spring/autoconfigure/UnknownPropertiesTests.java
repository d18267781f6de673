package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Misspelled properties are reported, and only these. */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reconciler4j.name",
                "reconciler4j.gracePeriod",
                "reconciler4j.enabled-controllers",
                "reconciler4j.enabled-controllers[1]",
                "reconciler4j.cache.namespaces[0]",
                "reconciler4j.cache.kinds.Secret.storage",
                "reconciler4j.cache.kinds[apps/v1/Deployment].label-selector",
                "reconciler4j.controllers.webapp.max-concurrent-reconciles",
                "reconciler4j.controllers[my.app].resync",
                "reconciler4j.leader-election.labels.team",
                "reconciler4j.leader-election.labels[example.com/team]",
                "reconciler4j.test.cluster",
                "reconciler4jx.name",
                "other.name"
            })
    void checkWhenAPropertyExistsAcceptsIt(String name) {
        assertThatCode(() -> check(new MapPropertySource("file", Map.of(name, "any"))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "reconciler4j.grace-perod, reconciler4j.grace-period",
        "reconciler4j.cache.namespace, reconciler4j.cache.namespaces",
        "reconciler4j.controllers.webapp.max-concurrent-reconcile,"
                + " reconciler4j.controllers.webapp.max-concurrent-reconciles",
        "reconciler4j.controllers.webapp.resinc, reconciler4j.controllers.webapp.resync",
        "reconciler4j.leader-elections.enabled, reconciler4j.leader-election.enabled",
        "reconciler4j.cache.kinds.Secret.storge, reconciler4j.cache.kinds.secret.storage"
    })
    void checkWhenAPropertyIsMisspelledSuggestsTheNearest(String name, String nearest) {
        assertThatThrownBy(() -> check(new MapPropertySource("file", Map.of(name, "any"))))
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContaining("Did you mean '" + nearest + "'?");
    }

    @Test
    void checkWhenNothingIsSimilarSuggestsNothingAndShowsNoValue() {
        assertThatThrownBy(() -> check(new MapPropertySource("file", Map.of("reconciler4j.colors", "s3cret"))))
                .hasMessageContaining("The property 'reconciler4j.colors'")
                .hasMessageContaining("does not exist")
                .hasMessageNotContaining("Did you mean")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void checkWhenAnEnvironmentVariableIsUnknownOnlyWarns(CapturedOutput output) {
        check(new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of(
                        "RECONCILER4J_GRACEPEROD", "1s",
                        "RECONCILER4J_GRACE_PERIOD", "1s",
                        "RECONCILER4J_LEADERELECTION_ENABLED", "true",
                        "RECONCILER4J_CONTROLLERS_WEBAPP_MAXCONCURRENTRECONCILES", "3",
                        "RECONCILER4J_CACHE_NAMESPACES_0_", "a",
                        "RECONCILER4J_SERVICE_HOST", "10.0.0.1",
                        "RECONCILER4J_PORT_443_TCP", "tcp://10.0.0.1:443",
                        "RECONCILER4J_WEBHOOK_SERVICE_PORT", "443")));
        assertThat(output.getOut().lines().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains("RECONCILER4J_GRACEPEROD");
    }

    private static void check(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .forEach(known -> environment.getPropertySources().remove(known.getName()));
        environment.getPropertySources().addFirst(source);
        ConfigurationPropertySources.attach(environment);
        new UnknownProperties().check(environment);
    }
}
