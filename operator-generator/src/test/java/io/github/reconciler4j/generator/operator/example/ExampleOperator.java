package io.github.reconciler4j.generator.operator.example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.policy.MutationPolicy;
import io.github.reconciler4j.policy.ValidationPolicy;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.WebhookOptions;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An operator that watches some kinds, one of them only if a property says so, and must not start at build time. */
@SpringBootApplication
public class ExampleOperator {

    @Bean
    CommandLineRunner runner() {
        return arguments -> {
            throw new IllegalStateException("A runner was called");
        };
    }

    @Bean
    Validator<Ages.Stable> ageValidator() {
        return new AgeValidator();
    }

    @Bean
    Defaulter<Pod> podDefaulter() {
        return new PodDefaulter();
    }

    @Bean
    Converter<Ages.Stable, Ages.Beta> ageConverter() {
        return new AgeConverter();
    }

    public static void main(String... arguments) {
        SpringApplication application = new SpringApplication(ExampleOperator.class);
        application.setDefaultProperties(
                java.util.Map.of("spring.application.name", "example", "spring.main.web-application-type", "servlet"));
        application.run(arguments);
        throw new IllegalStateException("The application ran");
    }

    static class AgeValidator implements Validator<Ages.Stable> {

        @Override
        public void validate(Ages.Stable age, Validation validation) {}

        @Override
        public WebhookOptions options() {
            return WebhookOptions.defaults()
                    .withTimeout(Duration.ofSeconds(5))
                    .withMatchCondition("braces", "object.metadata.name != '{{ x }}'");
        }
    }

    static class PodDefaulter implements Defaulter<Pod> {

        @Override
        public void applyDefaults(Pod pod, AdmissionRequest<Pod> request) {}

        @Override
        public WebhookOptions options() {
            return WebhookOptions.defaults().withFailurePolicy(WebhookOptions.FailurePolicy.IGNORE);
        }
    }

    static class AgeConverter implements Converter<Ages.Stable, Ages.Beta> {

        @Override
        public Ages.Stable toHub(Ages.Beta beta) {
            return new Ages.Stable();
        }

        @Override
        public Ages.Beta fromHub(Ages.Stable stable) {
            return new Ages.Beta();
        }
    }

    @ValidationPolicy(
            variables = "text = has(object.spec.text) ? object.spec.text : ''",
            rules = {
                @ValidationPolicy.Rule(
                        value = "variables.text != '{{ x }}'",
                        message = "must not be a template",
                        reason = "Forbidden"),
                @ValidationPolicy.Rule(
                        value = "size(variables.text) < 100",
                        messageExpression = "'too long: ' + string(size(variables.text))")
            })
    @MutationPolicy(
            matchConditions = "no-text = !has(object.spec.text)",
            name = "age-text",
            applyConfigurations = "Object{spec: Object.spec{text: 'none'}}")
    @Reconciler(
            owns = {ConfigMap.class, Deployment.class},
            permissions = {
                @Permission(
                        group = "apps",
                        resources = "deployments",
                        verbs = {"create", "patch"}),
                @Permission(
                        resources = "configmaps",
                        verbs = {"create", "patch"}),
                @Permission(group = "example.com", resources = "ages/finalizers", verbs = "update")
            })
    static class AgeReconciler
            implements ObjectReconciler<Ages.Stable>, ControllerCustomizer<ControllerBuilder<Ages.Stable>> {

        private final boolean secrets;

        AgeReconciler(EventRecorder events, @Value("${example.secrets:true}") boolean secrets) {
            this.secrets = secrets;
        }

        @Override
        public void customize(ControllerBuilder<Ages.Stable> controller) {
            if (secrets) {
                controller.watches(Watch.kind(Kind.of(Secret.class).metadata()).map(secret -> List.<Request>of()));
            }
            controller.watches(Watch.kind(Kind.of(Namespace.class).metadata()).map(namespace -> List.<Request>of()));
        }

        @Override
        public Result reconcile(Ages.Stable object, ReconcileContext context) {
            return Result.done();
        }
    }
}
