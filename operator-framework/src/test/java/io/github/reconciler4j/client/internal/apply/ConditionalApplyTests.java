package io.github.reconciler4j.client.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.write.WriteSender;
import io.github.reconciler4j.scheme.Kind;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an apply reads without a cache, and whether it sends anything. */
class ConditionalApplyTests extends ConditionalApplyFixture {
    @Test
    void applyWhenNothingIsKnownAsksForAPreviousOneAndSends() {
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(GET, PATCH);
        verifyNoInteractions(live);
    }

    @Test
    void applyWhenTriedIsAlwaysSentAndNotRemembered() {
        previous = applied("");
        for (int i = 0; i < 2; i++) {
            assertThat(apply.run(wanted(), OPTIONS.asDryRun()).outcome()).isEqualTo(Outcome.CREATED);
        }
        assertThat(server.takeRequests()).containsExactly(PATCH, PATCH);
        assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
        assertThat(server.takeRequests()).containsExactly(GET);
    }

    @Test
    void applyWhenLockedIsAlwaysSentAndRememberedForApplies() {
        when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.of(stored(same -> {})));
        for (int i = 0; i < 2; i++) {
            apply.run(stored(same -> {}), OPTIONS.withOptimisticLock());
        }
        assertThat(server.takeRequests()).containsExactly(PATCH, PATCH);

        assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
        assertThat(run(stored(same -> {}))).isEqualTo(Outcome.UNCHANGED);
        assertThat(server.takeRequests()).isEmpty();
    }

    @Test
    void applyWhenMeantForAnotherObjectOfThisNameIsSent() {
        applied();
        when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.of(stored(same -> {})));

        assertThat(run(stored(map -> map.getMetadata().setUid("u2")))).isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(PATCH);
    }

    @Test
    void applyWhenTheServerHasTheResultReturnsItAndSendsNothing() {
        applied();
        ConfigMap now = stored(map -> {
            map.getMetadata().setResourceVersion("9");
            map.getMetadata().setLabels(Map.of("not", "mine"));
        });
        when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.of(now));

        OperationResult<ConfigMap> result = apply.run(wanted(), OPTIONS);

        assertThat(result.outcome()).isEqualTo(Outcome.UNCHANGED);
        assertThat(result.object()).isSameAs(now);
        assertThat(server.takeRequests()).isEmpty();
    }

    @Test
    void applyWhenTheObjectIsAnotherOrHasChangedIsSent() {
        applied();
        for (ConfigMap now : new ConfigMap[] {
            stored(map -> map.getMetadata().setUid("u2")),
            stored(map -> map.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z")),
            stored(map -> {
                map.getMetadata().setResourceVersion("9");
                map.getData().put("a", "2");
            })
        }) {
            when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.of(now));
            assertThat(run(wanted())).as(now.toString()).isEqualTo(Outcome.CREATED);
            assertThat(server.takeRequests()).containsExactly(PATCH);
        }
        when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.empty());
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(PATCH);
    }

    @Test
    void applyWhenSomethingElseIsWantedReadsNothing() {
        applied();
        ConfigMap other = new ConfigMapBuilder(wanted()).addToData("a", "2").build();
        assertThat(run(other)).isEqualTo(Outcome.CREATED);
        assertThat(apply.run(other, OPTIONS.withoutForce()).outcome()).isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(PATCH, PATCH);
        verifyNoInteractions(live);
        apply.run(other, OPTIONS.withFieldManager("other"));
        assertThat(server.takeRequests()).as("another manager").containsExactly(GET, PATCH);
    }

    /** It may have been carried out, and may have changed the owners of fields only. */
    @Test
    void applyAfterALostResponseAsksForThePreviousOne() {
        applied();
        server.answer(request -> {
            throw new ConnectionException("lost", ConnectionException.Problem.CLOSED, null);
        });
        ConfigMap other = new ConfigMapBuilder(wanted()).addToData("b", "2").build();
        assertThatThrownBy(() -> run(other)).isInstanceOf(ConnectionException.class);
        server.takeRequests();
        server.answer(this::answer);
        run(wanted());
        assertThat(server.takeRequests()).containsExactly(GET, PATCH);
    }

    @Test
    void applyWhenItMayNotReadIsSentAndAnInterruptEndsIt() {
        applied();
        when(live.get(ConfigMap.class, KEY)).thenThrow(new ForbiddenException("no", ErrorDetails.none()));
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        Reader interrupted = mock(Reader.class, call -> {
            throw new RequestInterruptedException("interrupted");
        });
        ConditionalApply.Memory memory = new ConditionalApply.Memory();
        new ConditionalApply(new WriteSender(server.core()), memory, null, interrupted).run(wanted(), OPTIONS);
        for (Reader reader : new Reader[] {null, interrupted}) {
            ConditionalApply again = new ConditionalApply(new WriteSender(server.core()), memory, reader, interrupted);
            assertThatThrownBy(() -> again.run(wanted(), OPTIONS)).isInstanceOf(RequestInterruptedException.class);
        }
    }

    @Test
    void applyWhenTheObjectIsGenericIsReadAsOne() {
        ClientCore core = server.core();
        core.scheme().register(ConfigMap.class);
        apply = new ConditionalApply(new WriteSender(core), remembered, null, live);
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setApiVersion("v1");
        generic.setKind("ConfigMap");
        generic.setMetadata(wanted().getMetadata());
        generic.setAdditionalProperty("data", Map.of("a", "1"));
        assertThat(run(generic)).isEqualTo(Outcome.CREATED);
        GenericKubernetesResource now = ObjectCodec.copy(generic);
        now.getMetadata().setUid("u1");
        now.getMetadata().setResourceVersion("8");
        when(live.get(Kind.of(CONFIG_MAP), KEY)).thenReturn(Optional.of(now));
        assertThat(apply.run(generic, OPTIONS).object()).isSameAs(now);
    }

    @Test
    void applyWhenAPreviousRunHasAppliedTheSameIsRemembered() {
        previous = applied("");
        assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
        assertThat(server.requests())
                .singleElement()
                .satisfies(get -> assertThat(get.query()).isEmpty());
        server.takeRequests();
        when(live.get(ConfigMap.class, KEY)).thenReturn(Optional.of(stored(same -> {})));
        assertThat(run(wanted())).isEqualTo(Outcome.UNCHANGED);
        assertThat(server.takeRequests()).isEmpty();
    }

    @Test
    void applyWhenThePreviousObjectIsTerminatingIsSent() {
        previous = applied("'deletionTimestamp':'2026-01-01T00:00:00Z',");
        assertThat(run(wanted())).isEqualTo(Outcome.CREATED);
        assertThat(server.takeRequests()).containsExactly(GET, PATCH);
    }

    @Test
    void applyWhenInterruptedWhileAskingForThePreviousOneEnds() {
        server.answer(request -> {
            throw new RequestInterruptedException("interrupted");
        });
        assertThatThrownBy(() -> run(wanted())).isInstanceOf(RequestInterruptedException.class);
        assertThat(server.takeRequests()).containsExactly(GET);
    }
}
