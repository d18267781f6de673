package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a proxy answers, replicas use only borders that the Lease has, and that come from namespaces. */
class NamespaceBordersResponseTests {

    private final BordersServer server = new BordersServer();
    private final NamespaceBorders borders = server.borders();

    private void assertUnreadable() {
        assertThatThrownBy(() -> borders.agree(Optional.empty()))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void agreeWhenTheServerAnswersAsExpectedWritesBorders() {
        assertThat(borders.agree(Optional.empty())).hasSize(3);
        assertThat(server.requests).containsExactly("get", "list", "update");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"status\": \"Success\"}",
                "{\"apiVersion\": \"v1\", \"kind\": \"Lease\","
                        + " \"metadata\": {\"namespace\": \"default\", \"name\": \"shop-borders\"}}",
                "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\","
                        + " \"metadata\": {\"namespace\": \"default\", \"name\": \"other\"}}",
                "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\","
                        + " \"metadata\": {\"namespace\": \"other\", \"name\": \"shop-borders\"}}"
            })
    void agreeWhenTheAnswerIsNotTheLeaseFailsWithoutAWrite(String answer) {
        server.lease = request -> answer;
        assertUnreadable();
        assertThat(server.requests).containsExactly("get");

        server.lease = request -> BordersServer.LEASE;
        server.write = request -> answer;
        assertUnreadable();

        server.lease = request -> {
            throw new NotFoundException("none");
        };
        server.requests.clear();
        assertUnreadable();
        assertThat(server.requests).endsWith("create");
    }

    @Test
    void agreeWhenTheLeaseDoesNotHaveTheWrittenBordersFails() {
        server.write = request -> BordersServer.LEASE;
        assertUnreadable();
        server.write =
                request -> BordersServer.body(request).replaceFirst("borders-of-4\":\"[0-9a-f]+", "borders-of-4\":\"1");
        assertUnreadable();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"apiVersion\": \"v1\", \"kind\": \"Status\", \"items\": []}",
                "{\"apiVersion\": \"v1\", \"kind\": \"NamespaceList\"}",
                "{\"apiVersion\": \"v1\", \"kind\": \"NamespaceList\", \"items\": {}}",
                "{\"apiVersion\": \"v1\", \"kind\": \"NamespaceList\", \"items\": [{}]}",
                "{\"apiVersion\": \"v1\", \"kind\": \"PodList\", \"items\": []}"
            })
    void agreeWhenTheAnswerIsNoListOfNamespacesWritesNoBorders(String answer) {
        server.namespaces = request -> answer;
        assertUnreadable();
        assertThat(server.requests).containsExactly("get", "list");
    }

    @Test
    void reviewWhenTheAnswerIsNoListOfNamespacesFails() {
        server.namespaces = request -> "{}";
        assertThatThrownBy(() -> borders.review(List.of(1L, 2L, 3L))).isInstanceOf(ApiException.class);
        assertThat(server.requests).containsExactly("list");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1_000_000})
    void agreeWhenTheListOfNamespacesDoesNotEndFails(int tokens) {
        AtomicInteger pages = new AtomicInteger();
        server.namespaces = request -> BordersServer.page("next" + pages.incrementAndGet() % tokens);
        assertThatThrownBy(() -> borders.agree(Optional.empty()))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("the list of namespaces does not end");
        assertThat(pages).hasValue(Math.min(tokens + 1, 2_000));
    }

    @Test
    void agreeWhenItIsClosedBetweenPagesEnds() {
        server.namespaces = request -> {
            borders.close();
            return BordersServer.page("next");
        };
        assertThatThrownBy(() -> borders.agree(Optional.empty())).isInstanceOf(CancellationException.class);
        assertThat(server.requests).containsExactly("get", "list");
    }

    @Test
    void agreeWhenEachWriteMeetsAConflictGivesUpForNow() {
        server.write = request -> {
            throw new ConflictException("another version");
        };
        assertThatThrownBy(() -> borders.agree(Optional.of(List.of(1L, 2L, 3L))))
                .isInstanceOf(ConflictException.class);
        assertThat(server.requests).containsExactly("get", "update", "get", "update", "get", "update");
    }

    @Test
    void agreeWhenAnotherReplicaWasFasterUsesItsBorders() {
        server.write = request -> {
            server.lease =
                    again -> BordersServer.body(request).replaceFirst("borders-of-4\":\"1,", "borders-of-4\":\"0f,");
            throw new ConflictException("another version");
        };
        assertThat(borders.agree(Optional.of(List.of(1L, 20L, 30L)))).containsExactly(15L, 20L, 30L);
    }

    @Test
    void agreeWhenNamespacesAreNamedDividesTheseWithoutAList() {
        List<String> names = IntStream.range(0, 20).mapToObj(i -> "team-" + i).toList();
        NamespaceBorders named = server.borders(names.toArray(String[]::new));
        Partition shards = Partition.of(4, Set.of()).withNamespaceBorders(named.agree(Optional.empty()));
        int[] sizes = new int[4];
        names.forEach(name -> sizes[shards.ofNamespace(name)]++);
        assertThat(sizes).containsOnly(5);
        assertThat(server.requests).containsExactly("get", "update");

        named.review(shards.namespaceBorders());
        assertThat(server.requests).doesNotContain("list");
    }

    private static boolean listsNamespaces(CacheOptions cache) {
        ManagerOptions options = ManagerOptions.defaults()
                .withCache(cache.withPartition(Partition.all().withServerNamespaces(true)))
                .withExtension(BordersServer.SHARDING);
        Config nowhere = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://localhost:1/")
                .build();
        try (Manager manager = Manager.create(nowhere, options)) {
            return manager.components().stream()
                    .flatMap(component -> component.requiredPermissions().stream())
                    .anyMatch(RequiredPermission.onCore("namespaces", "list")::equals);
        }
    }

    @Test
    void requiredPermissionsHaveNoListOfNamespacesIfTheseAreNamed() {
        CacheOptions all = CacheOptions.defaults();
        assertThat(listsNamespaces(all)).isTrue();
        assertThat(listsNamespaces(
                        all.withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of("team-1")))))
                .isFalse();
    }
}
