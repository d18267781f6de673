package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.spring.Reconciler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Properties select the controllers that run and configure single ones. */
class ControllerSelectionPropertiesTests {

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
            .withUserConfiguration(Reconcilers.class)
            .withBean(
                    Config.class,
                    () -> new ConfigBuilder(Config.empty())
                            .withMasterUrl("https://127.0.0.1:1")
                            .build())
            .withPropertyValues("reconciler4j.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }

        @Bean
        @Reconciler(name = "secrets")
        ObjectReconciler<Secret> secrets() {
            return (secret, context) -> Result.done();
        }

        @Bean
        @Reconciler(name = "pages", enabledByDefault = false)
        ObjectReconciler<WebPage> pages() {
            return (page, context) -> Result.done();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reconciler4j.name=any                                                             | maps secrets
            reconciler4j.enabled-controllers=*                                                | maps secrets
            reconciler4j.enabled-controllers=*,-maps                                          | secrets
            reconciler4j.enabled-controllers=*,pages                                          | maps pages secrets
            reconciler4j.enabled-controllers=pages                                            | pages
            reconciler4j.enabled-controllers[0]=maps                                          | maps
            reconciler4j.enabled-controllers=                                                 | ''
            reconciler4j.controllers.pages.enabled=true                                       | maps pages secrets
            reconciler4j.controllers.maps.enabled=false                                       | secrets
            reconciler4j.enabled-controllers=*,-maps;reconciler4j.controllers.maps.enabled=true   | maps secrets
            reconciler4j.enabled-controllers=maps;reconciler4j.controllers.maps.enabled=false     | ''
            reconciler4j.all-controllers.enabled=false                                        | ''
            reconciler4j.all-controllers.enabled=true                                         | maps pages secrets
            reconciler4j.all-controllers.enabled=false;reconciler4j.controllers.maps.enabled=true | maps
            reconciler4j.all-controllers.enabled=false;reconciler4j.enabled-controllers=*,secrets | secrets
            """)
    void controllersThatRunAreThoseThatPropertiesSay(String values, String expected) {
        contextRunner.withPropertyValues(values.split(";")).run(context -> {
            ReconcilerRegistry controllers = context.getBean(ReconcilerRegistry.class);
            assertThat(String.join(" ", controllers.controllers().keySet())).isEqualTo(expected);
            assertThat(controllers.controllers().size()
                            + controllers.disabledControllers().size())
                    .isEqualTo(3);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reconciler4j.enabled-controllers=*,-webpges           | reconciler4j.enabled-controllers                | [webpges]; known are [maps, pages, secrets]
            reconciler4j.enabled-controllers=-maps                | reconciler4j.enabled-controllers                | *,-maps
            reconciler4j.controllers.webpges.enabled=false        | reconciler4j.controllers.webpges                | known controllers are [maps, pages, secrets]
            reconciler4j.controllers.maps.max-concurrent-reconciles=0 | reconciler4j.controllers.maps.max-concurrent-reconciles | at least 1
            reconciler4j.all-controllers.stuck-after=0s                | reconciler4j.all-controllers.stuck-after             | positive
            reconciler4j.controllers.maps.resync=-1m              | reconciler4j.controllers.maps.resync            | positive
            reconciler4j.api-server-timeout=-1s                   | reconciler4j.api-server-timeout                 | positive
            reconciler4j.start-jitter=-1s                         | reconciler4j.start-jitter                       | negative
            reconciler4j.events.domain=No_Domain                  | reconciler4j.events.domain                      | DNS name
            reconciler4j.client.burst=3                           | reconciler4j.client.burst                       | reconciler4j.client.qps
            reconciler4j.client.uncached=Dep                      | reconciler4j.client.uncached                    | Declared kinds are [ConfigMap, Secret, WebPage]
            reconciler4j.cache.kinds.Dep.storage=encoded          | reconciler4j.cache.kinds.Dep                    | write group, version and kind
            reconciler4j.cache.namespaces=Red                     | reconciler4j.cache.namespaces                   | contains 'Red'
            reconciler4j.cache.namespaces=a,b_c                   | reconciler4j.cache.namespaces                   | contains 'b_c'
            reconciler4j.cache.kinds.secret.namespaces=a.b        | reconciler4j.cache.kinds.secret.namespaces      | contains 'a.b'
            reconciler4j.cache.watch.min-lifetime=1h              | reconciler4j.cache.watch.min-lifetime           | lifetimeMax
            reconciler4j.cache.resync=-1s                         | reconciler4j.cache.resync                       | negative
            reconciler4j.client.kubeconfig=/no/such               | reconciler4j.client.kubeconfig                  | /no/such
            """)
    void startWhenAPropertyIsWrongNamesItAndTheProblem(String value, String property, String problem) {
        ApplicationContextRunner runner = value.startsWith("reconciler4j.client.kubeconfig")
                ? new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                : contextRunner;
        runner.withPropertyValues(value).run(context -> {
            FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains("'" + property + "' ", problem);
            assertThat(analysis.getAction()).isEqualTo("Correct the property '" + property + "'. (R4J-301)");
        });
    }

    @Test
    void leaderElectionWhenTheNamespaceIsInvalidNamesTheProperty() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.leader-election.enabled=true", "reconciler4j.leader-election.namespace=A_B")
                .run(context -> {
                    FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription())
                            .contains("'reconciler4j.leader-election.namespace' contains 'A_B'");
                });
    }

    @Test
    void leaderElectionWhenTheNamespaceIsUnknownNamesTheProperty() {
        contextRunner
                .withPropertyValues("reconciler4j.leader-election.enabled=true")
                .run(context -> {
                    FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription())
                            .contains("'reconciler4j.leader-election.namespace' must be set");
                });
    }

    @Test
    void controllerWhenItHasAResyncOfItsOwnHasASourceForIt() {
        contextRunner
                .withPropertyValues("reconciler4j.controllers.maps.resync=5m")
                .run(context -> assertThat(context.getBean(ReconcilerRegistry.class)
                                .controller("maps")
                                .orElseThrow()
                                .sources())
                        .extracting(RequestSource::name)
                        .containsExactlyInAnyOrder("ConfigMap.v1", "ConfigMap.v1 resync"));
    }

    @Test
    void placementWhenSetReachesTheController() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.all-controllers.run-on=dedicated-lease",
                        "reconciler4j.controllers.maps.run-on=all-replicas")
                .run(context -> {
                    ReconcilerRegistry controllers = context.getBean(ReconcilerRegistry.class);
                    assertThat(controllers
                                    .controller("maps")
                                    .orElseThrow()
                                    .options()
                                    .placement())
                            .isEqualTo(Placement.allReplicas());
                    assertThat(controllers
                                    .controller("secrets")
                                    .orElseThrow()
                                    .options()
                                    .placement())
                            .isEqualTo(Placement.leaseHolder("secrets"));
                });
    }

    @Test
    void warmUpAndShareWhenSetReachTheController() {
        contextRunner
                .withPropertyValues(
                        "reconciler4j.all-controllers.warm-up=true",
                        "reconciler4j.all-controllers.namespace-share=0.5",
                        "reconciler4j.all-controllers.max-per-namespace=3",
                        "reconciler4j.controllers.maps.warm-up=false",
                        "reconciler4j.controllers.secrets.run-on=dedicated-lease")
                .run(context -> {
                    ReconcilerRegistry controllers = context.getBean(ReconcilerRegistry.class);
                    ControllerOptions maps =
                            controllers.controller("maps").orElseThrow().options();
                    assertThat(maps.placement()).isEqualTo(Placement.leader());
                    assertThat(maps.fairness()).hasValueSatisfying(fairness -> {
                        assertThat(fairness.share()).isEqualTo(0.5);
                        assertThat(fairness.maxRunning()).isEqualTo(3);
                    });
                    assertThat(controllers
                                    .controller("secrets")
                                    .orElseThrow()
                                    .options()
                                    .placement())
                            .isEqualTo(Placement.leaseHolder("secrets").withWarmUp(true));
                });
    }
}
