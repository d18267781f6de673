package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Mistakes that would otherwise lead to an operator that does nothing are logged or reported. */
@ExtendWith(OutputCaptureExtension.class)
class SilentMistakesTests extends OperatorContextFixture {

    @Test
    void startWhenAReconcilerHasNoAnnotationWarns(CapturedOutput output) {
        contextRunner
                .withUserConfiguration(Unannotated.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The bean 'forgotten' implements ObjectReconciler but no controller uses it")
                .contains("The bean 'forgottenRequests' implements RequestReconciler but no controller uses it")
                .doesNotContain("The bean 'annotated'");
    }

    @Test
    void startWhenControllersAreBuiltByHandDoesNotWarn(CapturedOutput output) {
        contextRunner
                .withUserConfiguration(Unannotated.class, ByHand.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("no controller uses it");
    }

    @Test
    void startWhenThereIsNoControllerWarns(CapturedOutput output) {
        try (KubernetesServer server = KubernetesServer.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                    .withBean(Config.class, server::clientConfig)
                    .run(context -> assertThat(context).hasNotFailed());
        }
        assertThat(output).contains("The operator 'operator' has no controllers", "@Reconciler");
    }

    @Test
    void startWhenAPropertyIsMisspelledReportsTheNearest() {
        contextRunner.withPropertyValues("reconciler4j.cache.namspaces=a").run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains("Did you mean 'reconciler4j.cache.namespaces'?");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Unannotated {

        @Bean
        ObjectReconciler<ConfigMap> forgotten() {
            return (map, context) -> Result.done();
        }

        @Bean
        RequestReconciler<Request> forgottenRequests() {
            return (request, context) -> Result.done();
        }

        @Bean
        @Reconciler
        ObjectReconciler<ConfigMap> annotated() {
            return (map, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHand {

        @Bean
        Controller<Request> byHand(Manager manager, ObjectReconciler<ConfigMap> forgotten) {
            return ControllerBuilder.forType(ConfigMap.class)
                    .named("by-hand")
                    .reconciler(forgotten)
                    .addTo(manager);
        }
    }
}
