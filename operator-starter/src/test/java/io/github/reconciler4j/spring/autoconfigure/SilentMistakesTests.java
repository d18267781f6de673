package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cluster.ClusterProvider;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.cluster.KubeconfigFolder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.test.KubernetesServer;
import java.nio.file.Path;
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
    void startWhenControllersAreForClustersThatCannotJoinSaysSo(CapturedOutput output) {
        contextRunner
                .withUserConfiguration(Unannotated.class, ByHand.class)
                .withPropertyValues("reconciler4j.controllers.configmap.clusters=east")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The controllers [configmap] select other clusters only, and the manager has none yet")
                .contains("'reconciler4j.clusters.folder'");
    }

    @Test
    void startWhenControllersAreForClustersThatCanJoinDoesNotWarn(CapturedOutput output) {
        try (KubernetesServer server = KubernetesServer.start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                    .withBean(Config.class, server::clientConfig)
                    .withBean(ClusterProvider.class, () -> KubeconfigFolder.of(Path.of("")))
                    .withUserConfiguration(Unannotated.class)
                    .withPropertyValues("reconciler4j.controllers.configmap.clusters=east")
                    .run(context -> assertThat(context).hasNotFailed());
        }
        assertThat(output).doesNotContain("has none yet").doesNotContain("has no controllers");
    }

    @Test
    void startWhenTheClusterOfAControllerHasJoinedDoesNotWarn(CapturedOutput output) {
        contextRunner
                .withUserConfiguration(Unannotated.class, ByHand.class, Joined.class)
                .withPropertyValues("reconciler4j.controllers.configmap.clusters=east")
                .run(context -> assertThat(
                                Clusters.of(context.getBean(Manager.class)).joined())
                        .hasSize(1));
        assertThat(output).doesNotContain("has none yet");
    }

    @Test
    void startWhenAKindOfThePropertiesDoesNotExistWarns(CapturedOutput output) {
        contextRunner
                .withUserConfiguration(Unannotated.class, ByHand.class)
                .withPropertyValues(
                        "reconciler4j.cache.kinds[v1/Secrt].storage=metadata",
                        "reconciler4j.cache.kinds[v1/Node].storage=metadata",
                        "reconciler4j.cache.kinds[v1/ConfigMap].storage=metadata")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The property 'reconciler4j.cache.kinds[v1/Secrt]' names a kind that no reconciler declares")
                .contains("Declared kinds are [v1/ConfigMap]")
                .doesNotContain("kinds[v1/Node]")
                .doesNotContain("kinds[v1/ConfigMap]");
    }

    @Test
    void startWhenPermissionsMustNotBeMissingSaysHowToStartWithoutThem() {
        try (KubernetesServer server = KubernetesServer.builder().rbac(true).start()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                    .withBean(Config.class, () -> server.clientConfig(server.addUser("stranger")))
                    .withUserConfiguration(Unannotated.class)
                    .withPropertyValues("reconciler4j.preflight=fail")
                    .run(context -> {
                        FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                        assertThat(report).isNotNull();
                        assertThat(report.getDescription()).contains("configmaps", "list, watch");
                        assertThat(report.getAction()).contains("'reconciler4j.preflight=report'");
                    });
        }
    }

    @Test
    void startWhenALabelSelectorIsNoneNamesTheProperty() {
        contextRunner
                .withPropertyValues("reconciler4j.cache.kinds[v1/Secret].label-selector=a=b=c")
                .run(context -> {
                    FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(report).isNotNull();
                    assertThat(report.getDescription())
                            .contains("'reconciler4j.cache.kinds[v1/Secret].label-selector'", "a=b=c");
                });
    }

    @Test
    void startWhenAPropertyIsMisspelledReportsTheNearest() {
        contextRunner.withPropertyValues("reconciler4j.cache.namspaces=a").run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains("Did you mean 'reconciler4j.cache.namespaces'?");
        });
    }

    @Test
    void startWhenAPredicateCannotBeCreatedNamesItAndTheBean() {
        contextRunner.withBean("filtered", Filtered.class, Filtered::new).run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription())
                    .startsWith("The predicate " + NeedsText.class.getName() + " of the @Reconciler bean")
                    .contains("java.lang.String");
            assertThat(report.getAction()).startsWith("Declare it as a bean");
        });
    }

    static class NeedsText implements EventPredicate<Object> {

        private final String text;

        NeedsText(String text) {
            this.text = text;
        }

        @Override
        public boolean test(ObjectEvent<?> event) {
            return event.toString().contains(text);
        }
    }

    @Reconciler
    @Owns(value = Secret.class, predicates = NeedsText.class)
    static class Filtered implements ObjectReconciler<ConfigMap> {

        @Override
        public Result reconcile(ConfigMap object, ReconcileContext context) {
            return Result.done();
        }
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
            return ControllerBuilder.of(ConfigMap.class)
                    .named("by-hand")
                    .reconciler(forgotten)
                    .addTo(manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Joined {

        @Bean
        Cluster east(Manager manager, Config config) {
            return Clusters.of(manager).add("east", config);
        }
    }
}
