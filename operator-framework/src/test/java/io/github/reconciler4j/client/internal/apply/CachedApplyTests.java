package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an apply reads of a cache, and whether it sends anything. */
class CachedApplyTests extends ConditionalApplyFixture {

    private void cached(@Nullable ConfigMap object) {
        apply = apply(cache);
        when(cache.isSynced(any(), any())).thenReturn(true);
        when(cache.get(ConfigMap.class, KEY)).thenReturn(Optional.ofNullable(object));
    }

    @Test
    void applyWhenTheKindIsCachedReadsTheCache() {
        cached(null);
        applied();
        cached(stored(same -> {}));
        apply = applyAgain(server.core(), cache);
        assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
        when(cache.get(ConfigMap.class, KEY)).thenReturn(Optional.empty());
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(PATCH);
        verifyNoInteractions(live);
    }

    @Test
    void applyWhenTheCacheCannotAnswerNowReadsTheServer() {
        when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.of(stored(same -> {})));
        ClientCore uncached = server.core(ClientOptions.defaults().withUncached(ConfigMap.class), WriteListener.NONE);
        Reader failing = mock(Reader.class, call -> {
            throw new IllegalStateException("released");
        });
        Reader refusing = mock(Reader.class, call -> {
            throw new AssertionError("must not be read");
        });
        ReadYourWritesReader unsynced = mock(ReadYourWritesReader.class);
        for (ConditionalApply next : new ConditionalApply[] {
            applyAgain(server.core(), failing), applyAgain(uncached, refusing), applyAgain(server.core(), unsynced)
        }) {
            clearInvocations(live);
            apply = next;
            assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
            verify(live).get(ConfigMap.class, KEY);
        }
        assertThat(server.takeRequests()).isEmpty();
    }

    @Test
    void applyWhenTheCachedObjectCannotBeDecodedIsSent() {
        Reader undecodable = mock(Reader.class, call -> {
            throw new UndecodableObjectException(CONFIG_MAP, KEY, ConfigMap.class, "data");
        });
        apply = applyAgain(server.core(), undecodable);
        clearInvocations(live);
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        verifyNoInteractions(live);
    }

    @Test
    void applyWhenAPreviousRunHasAppliedWhatIsCachedSendsNothing() {
        previous = applied("");
        cached(stored(same -> {}));
        assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
        assertThat(server.requests())
                .singleElement()
                .satisfies(get -> assertThat(get.query()).containsEntry("resourceVersion", List.of("7")));
        cached(null);
        assertThat(run(wanted())).as("it does not exist").isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(GET, PATCH);
    }
}
