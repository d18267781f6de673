package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.examples.PartitionKeys;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Properties let the replicas of an application share shards. */
class ShardingPropertiesTests extends OperatorContextFixture {

    private static final KindName SECRETS = KindName.of("v1", "Secret");

    private final ApplicationContextRunner sharded = contextRunner
            .withUserConfiguration(Maps.class)
            .withPropertyValues("reconciler4j.sharding.enabled=true", "reconciler4j.sharding.lease-namespace=shops");

    @Configuration(proxyBeanMethods = false)
    static class Maps {
        @Bean
        @Reconciler(name = "maps", owns = Secret.class)
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }
    }

    /** A request of the application's own type. */
    record Tenant(String name) {}

    @Configuration(proxyBeanMethods = false)
    static class Tenants {
        @Bean
        @Reconciler(name = "tenants")
        RequestReconciler<Tenant> tenants() {
            return (tenant, context) -> Result.done();
        }

        @Bean
        ControllerCustomizer<RequestControllerBuilder<Tenant>> tenantSource() {
            return builder -> builder.source(ChannelSource.ofRequests("tenants"));
        }
    }

    @Test
    void propertiesWhenSetReachTheOptions() {
        sharded.withPropertyValues(
                        "reconciler4j.sharding.name=tills",
                        "reconciler4j.sharding.shards=32",
                        "reconciler4j.sharding.families=by-owner",
                        "reconciler4j.sharding.divided-clusters=false",
                        "reconciler4j.sharding.server-namespaces=true",
                        "reconciler4j.sharding.namespace-review=1h",
                        "reconciler4j.sharding.identity=me",
                        "reconciler4j.sharding.lease-duration=30s",
                        "reconciler4j.sharding.renew-deadline=20s",
                        "reconciler4j.sharding.retry-period=3s",
                        "reconciler4j.sharding.drain-timeout=4s")
                .run(context -> {
                    ShardingOptions sharding = ShardingOptions.of(
                                    context.getBean(Manager.class).options())
                            .orElseThrow();
                    assertThat(sharding.name()).isEqualTo("tills");
                    assertThat(sharding.shards()).isEqualTo(32);
                    assertThat(sharding.families()).isEqualTo(ShardingOptions.Families.BY_OWNER);
                    assertThat(sharding.dividedClusters()).isFalse();
                    assertThat(sharding.namespaceReview()).isEqualTo(Duration.ofHours(1));
                    assertThat(context.getBean(Manager.class)
                                    .options()
                                    .cache()
                                    .partition()
                                    .serverNamespaces())
                            .isTrue();
                    assertThat(context.getBean(Manager.class).components().stream()
                                    .flatMap(component -> component.requiredPermissions().stream()))
                            .contains(RequiredPermission.onCore("namespaces", "list"));
                    assertThat(sharding.leaseNamespace()).isEqualTo("shops");
                    assertThat(sharding.identity()).isEqualTo("me");
                    assertThat(sharding.timing().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(sharding.timing().renewDeadline()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(sharding.timing().retryPeriod()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(sharding.drainTimeout()).isEqualTo(Duration.ofSeconds(4));
                });
    }

    @Test
    void shardingWhenEnabledDividesTheControllerOverAllReplicas() {
        sharded.run(context -> {
            Manager manager = context.getBean(Manager.class);
            assertThat(ShardingOptions.of(manager.options()).orElseThrow().name())
                    .isEqualTo("shop");
            assertThat(controller(manager, "maps").group()).isEqualTo(StartGroup.ALL_REPLICAS);
            assertThat(manager.components().stream().flatMap(component -> component.requiredPermissions().stream()))
                    .contains(RequiredPermission.on(
                                    "coordination.k8s.io",
                                    "leases",
                                    "get",
                                    "list",
                                    "create",
                                    "update",
                                    "patch",
                                    "delete")
                            .inNamespace("shops"));
        });
    }

    @Test
    void shardKeysWhenSetAreThoseOfTheKinds() {
        sharded.withPropertyValues(
                        "reconciler4j.cache.kinds.ConfigMap.partition-key=uid",
                        "reconciler4j.cache.kinds[v1/Secret].partition-key=owner",
                        "reconciler4j.cache.kinds[v1/Node].partition-key=whole")
                .withUserConfiguration(PartitionKeys.class)
                .run(context -> {
                    CacheOptions cache =
                            context.getBean(Manager.class).options().cache();
                    assertThat(cache.of(Kind.of("v1", "ConfigMap")).partitionKey())
                            .contains(PartitionKey.uid());
                    assertThat(cache.of(Kind.of(SECRETS)).partitionKey()).contains(PartitionKey.owner());
                    assertThat(cache.of(Kind.of("v1", "Node")).partitionKey()).contains(PartitionKey.whole());
                    assertThat(cache.of(Kind.of("v1", "Pod"))
                                    .partitionKey()
                                    .orElseThrow()
                                    .type())
                            .isEqualTo(PartitionKey.Type.UID_OF);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            shards=0            | shards         | from 1 to 4096, was 0
            name=My shop        | name           | lower case letters
            lease-duration=5s   | lease-duration | longer than 'renewDeadline'
            drain-timeout=-1s   | drain-timeout  | must not be negative
            lease-namespace=    | lease-namespace | must be set
            lease-namespace=A_B | lease-namespace | contains 'A_B'
            """)
    void startWhenAPropertyIsWrongNamesItAndTheProblem(String value, String property, String problem) {
        sharded.withPropertyValues("reconciler4j.sharding." + value).run(context -> {
            FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains("'reconciler4j.sharding." + property + "' ", problem);
        });
    }

    @Test
    void startWhenTheFamiliesAreUnknownNamesTheProperty() {
        sharded.withPropertyValues("reconciler4j.sharding.families=by-color")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(IllegalArgumentException.class)
                        .hasStackTraceContaining("reconciler4j.sharding.families"));
    }

    @Test
    void startWhenARequestControllerHasNoLeaderSaysWhatToSet() {
        sharded.withUserConfiguration(Tenants.class).run(context -> {
            FailureAnalysis analysis = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains("'tenants' must run on one replica");
            assertThat(analysis.getAction()).contains("'reconciler4j.leader-election.enabled=true'");
        });
    }
}
