package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.webhook.AdmissionWebhook;
import io.github.reconciler4j.webhook.JakartaValidator;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.WebhookOptions;
import io.github.reconciler4j.webhook.Webhooks;
import jakarta.validation.constraints.Max;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ConstraintWebhooksTests extends OperatorContextFixture {

    private static final String NAME = "validate-lamp-v1-constraints.example.com";

    private final ApplicationContextRunner runner = contextRunner
            .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class, ValidationAutoConfiguration.class))
            .withPropertyValues("reconciler4j.webhook.service-namespace=shop")
            .withUserConfiguration(Lamps.class);

    private static java.util.List<String> names(ApplicationContext context) {
        return context.getBean(Webhooks.class).admission().stream()
                .map(AdmissionWebhook::name)
                .toList();
    }

    @Test
    void kindWhenReconciledAndConstrainedHasAWebhook() {
        runner.run(context -> assertThat(names(context)).containsExactly(NAME));
    }

    @Test
    void constraintsWhenDisabledHaveNoWebhook() {
        runner.withPropertyValues("reconciler4j.webhook.validate-constraints=false")
                .run(context -> assertThat(names(context)).isEmpty());
    }

    @Test
    void applicationWhenWithoutJakartaValidationOrItsBeanHasNoWebhook() {
        runner.withClassLoader(new FilteredClassLoader("jakarta.validation", "org.hibernate.validator"))
                .run(context -> assertThat(names(context)).isEmpty());
        contextRunner
                .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class))
                .withUserConfiguration(Lamps.class)
                .run(context -> assertThat(names(context)).isEmpty());
    }

    @Test
    void applicationWhenWithoutTheModuleStarts() {
        runner.withClassLoader(new FilteredClassLoader("io.github.reconciler4j.webhook"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("reconciler4jWebhooks"));
    }

    @Test
    void validatorWhenDeclaredAsABeanReplacesTheAutomaticOne() {
        runner.withUserConfiguration(OwnOptions.class)
                .run(context -> assertThat(names(context)).containsExactly("validate-lamp-v1-mine.example.com"));
    }

    @Group("example.com")
    @Version("v1")
    static class Lamp extends CustomResource<LampSpec, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    static class LampSpec {
        @Max(100)
        public int brightness;
    }

    @Configuration(proxyBeanMethods = false)
    static class Lamps {
        @Bean
        @Reconciler
        ObjectReconciler<Lamp> lamps() {
            return (lamp, context) -> Result.done();
        }

        @Bean
        @Reconciler
        ObjectReconciler<ConfigMap> configMaps() {
            return (map, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnOptions {
        @Bean
        Validator<Lamp> lampConstraints(jakarta.validation.Validator constraints) {
            return JakartaValidator.of(Lamp.class, constraints)
                    .withOptions(WebhookOptions.defaults().withName("mine"));
        }
    }
}
