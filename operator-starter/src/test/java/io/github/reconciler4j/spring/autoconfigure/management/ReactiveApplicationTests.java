package io.github.reconciler4j.spring.autoconfigure.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

/** The property {@code reconciler4j.management.authorization} in an application with a reactive web server. */
class ReactiveApplicationTests {

    private final ReactiveWebApplicationContextRunner contextRunner = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OperatorAutoConfiguration.class, ManagementAuthorizationAutoConfiguration.class))
            .withBean(
                    Config.class,
                    () -> new ConfigBuilder()
                            .withMasterUrl("https://localhost:1")
                            .build())
            .withPropertyValues("spring.application.name=shop", "reconciler4j.auto-startup=false");

    @Test
    void authorizationWhenTheServerIsReactiveFailsTheStart() {
        contextRunner
                .withPropertyValues("reconciler4j.management.authorization=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                        .hasMessageContaining("reconciler4j.management.authorization")
                        .extracting(failure -> ((InvalidConfigurationPropertyValueException) failure).getReason())
                        .asString()
                        .contains("reactive web server", "Spring Security"));
    }

    @Test
    void applicationWhenAuthorizationIsOffStarts() {
        contextRunner.run(context -> assertThat(context).hasNotFailed());
    }
}
