package io.github.reconciler4j.generator.operator.example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerConfigurer;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
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

    public static void main(String... arguments) {
        SpringApplication application = new SpringApplication(ExampleOperator.class);
        application.setDefaultProperties(
                java.util.Map.of("spring.application.name", "example", "spring.main.web-application-type", "servlet"));
        application.run(arguments);
        throw new IllegalStateException("The application ran");
    }

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
    static class AgeReconciler implements ObjectReconciler<Ages.Stable>, ControllerConfigurer<Ages.Stable> {

        private final boolean secrets;

        AgeReconciler(@Value("${example.secrets:true}") boolean secrets) {
            this.secrets = secrets;
        }

        @Override
        public void configure(ControllerBuilder<Ages.Stable> controller) {
            if (secrets) {
                controller.watchesMetadata(Secret.class, secret -> List.<Request>of());
            }
            controller.watchesMetadata(Namespace.class, namespace -> List.<Request>of());
        }

        @Override
        public Result reconcile(Ages.Stable object, ReconcileContext context) {
            return Result.done();
        }
    }
}
