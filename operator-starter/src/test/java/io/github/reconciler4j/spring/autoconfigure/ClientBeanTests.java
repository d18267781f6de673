package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The client and the cache of the application are those of the manager, or the application does not start. */
class ClientBeanTests extends OperatorContextFixture {

    @ParameterizedTest
    @ValueSource(classes = {OwnClient.class, OwnCache.class})
    void startWhenTheApplicationReplacesAPartOfTheManagerReportsTheFix(Class<?> configuration) {
        contextRunner.withUserConfiguration(configuration).run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).contains("[own]", "of the Manager");
            assertThat(report.getAction()).contains("ManagerOptionsCustomizer", "defaultCandidate = false");
        });
    }

    @Test
    void clientWhenAnotherOneIsForAnotherClusterIsStillTheManagers() {
        contextRunner.withUserConfiguration(OtherCluster.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Uses.class).client())
                    .isSameAs(context.getBean(Manager.class).client());
        });
    }

    record Uses(Client client) {}

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean
        Client own() {
            return mock(Client.class);
        }

        @Bean
        @Reconciler
        ObjectReconciler<ConfigMap> maps(Client client) {
            return (map, context) -> Result.done();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnCache {

        @Bean
        Cache own() {
            return mock(Cache.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherCluster {

        @Bean(defaultCandidate = false)
        Client other() {
            return mock(Client.class);
        }

        @Bean
        Uses uses(Client client) {
            return new Uses(client);
        }
    }
}
