package io.github.reconciler4j.cache.internal.writes;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.list;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class LiveLookupTests {

    private static final KindInfo INFO = Scheme.create().kindOf(ConfigMap.class);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final ObjectKey X = ObjectKey.of("a", "x");
    private static final ConnectionException RESET = new ConnectionException("reset", Problem.CONNECTION_RESET, null);

    private final ApiConnection server = mock(ApiConnection.class);
    private PartFilter parts = PartFilter.ALL;
    private boolean bodies = true;
    private final LiveLookup lookup = new LiveLookup(
            server,
            new ExpectedKind(INFO, mock(Discovery.class)),
            new EntryReader.Factory(
                    INFO, KindCacheOptions.defaults(), new StringInterner(), new CompactEncoder(new DeflaterPool())),
            LiveLookupTests::scope,
            () -> parts,
            () -> bodies);

    private static Scope scope(String namespace) {
        return namespace.equals("a") ? new Scope(INFO, "", ObjectSelector.everything(), List.of()) : null;
    }

    private static ApiResponse response(String body) {
        return new ApiResponse(200, body.getBytes(UTF_8), List.of());
    }

    private PendingWrite find(String body) {
        when(server.send(any())).thenReturn(response(body));
        return lookup.find(X, LONG);
    }

    @Test
    void findReturnsTheObjectAtTheVersionOfTheList() {
        PendingWrite found = find(list(20, "", configMap("a", "x", 1, 15, "v")));

        assertThat(found.isWritten()).isTrue();
        assertThat(found.version()).isEqualTo("20");
        assertThat(found.uid()).isEqualTo(Json.uid(1));
        assertThat(found.entry().resourceVersion()).isEqualTo("15");
        assertThat(found.entry().hasBody()).isTrue();
        ArgumentCaptor<ApiRequest> request = ArgumentCaptor.forClass(ApiRequest.class);
        verify(server).send(request.capture());
        assertThat(request.getValue().query().get("fieldSelector")).containsExactly("metadata.name=x");
    }

    @Test
    void findWhenThereIsNoObjectReturnsThat() {
        PendingWrite found = find(list(20, ""));
        assertThat(found.isWritten()).isTrue();
        assertThat(found.uid()).isEmpty();
        assertThat(found.entry()).isNull();
    }

    @Test
    void findWhenMetadataIsWatchedReadsNoBody() {
        bodies = false;
        assertThat(find(list(20, "", configMap("a", "x", 1, 15, "v"))).entry().hasBody())
                .isFalse();
    }

    @Test
    void findWhenThePartOfTheObjectIsNotHeldReturnsNone() {
        parts = PartFilter.of(HeldParts.initial(Partition.of(4, Set.of())), PartitionKey.namespace(), INFO);
        assertThat(find(list(20, "", configMap("a", "x", 1, 15, "v"))).entry()).isNull();
    }

    @Test
    void findWhenVersionsAreNoNumbersIsUnknown() {
        assertThat(find(list(20, "").replace("\"20\"", "\"v20\"")).isUnknown()).isTrue();
    }

    @Test
    void findWhenTheNamespaceIsNotWatchedIsUnknownWithoutARequest() {
        assertThat(lookup.find(ObjectKey.of("b", "x"), LONG)).isEqualTo(PendingWrite.unknown("", ""));
        verify(server, times(0)).send(any());
    }

    @Test
    void findWhenTheResponseIsNoListFails() {
        assertThatThrownBy(() -> find("{}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("list configmaps: the response is not a list of ConfigMap");
    }

    @Test
    void findWhenConnectionsAreResetTriesFourTimes() {
        when(server.send(any())).thenThrow(RESET, RESET, RESET).thenReturn(response(list(20, "")));
        assertThat(lookup.find(X, LONG).version()).isEqualTo("20");
        when(server.send(any())).thenThrow(RESET, RESET, RESET, RESET).thenReturn(response(list(30, "")));
        assertThatThrownBy(() -> lookup.find(X, LONG)).isSameAs(RESET);
        verify(server, times(8)).send(any());
    }

    @Test
    void findWhenConnectionsAreResetUntilTheTimeIsOverTriesNoMore() {
        when(server.send(any())).thenThrow(RESET);
        assertThatThrownBy(() -> lookup.find(X, Duration.ofNanos(1))).isSameAs(RESET);
        verify(server, times(1)).send(any());
    }

    @Test
    void findWhenAConnectionIsResetHasLessTimeForTheNext() {
        List<Duration> timeouts = new ArrayList<>();
        when(server.send(any())).thenAnswer(call -> {
            timeouts.add(call.<ApiRequest>getArgument(0).timeout());
            long now = System.nanoTime();
            while (System.nanoTime() == now) {
                Thread.onSpinWait();
            }
            throw RESET;
        });
        assertThatThrownBy(() -> lookup.find(X, LONG)).isSameAs(RESET);
        assertThat(timeouts).hasSize(4).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(timeouts.get(0)).isEqualTo(LONG);
        assertThat(timeouts.get(3)).isLessThan(LONG).isPositive();
    }

    @Test
    void findWhenTheServerCannotBeReachedFailsAtOnce() {
        ConnectionException refused = new ConnectionException("refused", Problem.REFUSED, null);
        when(server.send(any())).thenThrow(refused);
        assertThatThrownBy(() -> lookup.find(X, LONG)).isSameAs(refused);
        verify(server, times(1)).send(any());
    }
}
