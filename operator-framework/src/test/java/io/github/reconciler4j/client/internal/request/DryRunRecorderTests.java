package io.github.reconciler4j.client.internal.request;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ObservedWrite;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.ObservedWrite.Effect;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What observers learn of a dry run, and what is logged. */
class DryRunRecorderTests {

    private static final String PATH = "/api/v1/namespaces/shop/things/foo";
    private static final String BEFORE = "{'metadata':{'name':'foo','resourceVersion':'1','uid':'u'},'data':{'a':'1'}}";
    private static final String AFTER =
            "{'metadata':{'name':'foo','resourceVersion':'2','generation':9}," + "'data':{'a':'2'}}";

    private final AnsweringConnection server = new AnsweringConnection(request -> json(200, BEFORE));
    private final List<ObservedWrite> observed = new ArrayList<>();

    private static ClientCall call(Verb verb, String plural, @Nullable ObjectKey key, String subresource) {
        KindInfo kind = new KindInfo(KindName.of("v1", "Thing"), plural, true);
        String path = PATH.replace("things", plural);
        ApiRequest request = ApiRequest.of(verb.word(), "PUT", key == null ? path.replace("/foo", "") : path)
                .withTimeout(Duration.ofSeconds(3));
        return new Call(verb, kind, Optional.ofNullable(key), subresource, true, true, request);
    }

    private static ClientCall call(Verb verb) {
        return call(verb, "things", ObjectKey.of("shop", "foo"), "");
    }

    private void record(ClientCall call, String response) {
        observed.clear();
        server.requests().clear();
        ApiResponse given = json(200, response);
        assertThat(new DryRunRecorder(server).record(call, observed::add, () -> given))
                .isSameAs(given);
    }

    @ParameterizedTest
    @EnumSource(
            value = Verb.class,
            names = {"UPDATE", "PATCH", "APPLY"})
    void changeIsThatOfTheFieldsThatTheServerDoesNotSet(Verb verb) {
        record(call(verb), AFTER);
        assertThat(server.takeRequests()).containsExactly("GET " + PATH);
        assertThat(observed).singleElement().satisfies(write -> {
            assertThat(write.effect()).isEqualTo(Effect.CHANGED);
            assertThat(write.object()).isEqualTo("shop/foo");
            assertThat(write.changes()).containsExactly(new Change("data.a", "\"1\"", "\"2\""));
        });
        record(call(verb), BEFORE.replace("'u'", "'v'"));
        assertThat(observed).as("nothing changes").isEmpty();
        assertThat(server.requests().get(0).timeout()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void changeOfASecretIsHidden() {
        record(call(Verb.UPDATE, "secrets", ObjectKey.of("shop", "foo"), ""), AFTER);
        assertThat(observed.get(0).changes()).containsExactly(new Change("data.a", "***", "***"));
    }

    @Test
    void writeOfAnObjectThatDoesNotExistCreatesIt() {
        record(call(Verb.CREATE), AFTER);
        assertThat(server.requests()).isEmpty();
        assertThat(observed).singleElement().satisfies(write -> {
            assertThat(write.effect()).isEqualTo(Effect.CREATED);
            assertThat(write.changes()).hasSize(2);
        });
        server.answer(request -> {
            throw new NotFoundException("none");
        });
        record(call(Verb.APPLY), "{}");
        assertThat(observed).extracting(ObservedWrite::effect).containsExactly(Effect.CREATED);
    }

    @Test
    void creationWithoutAKeyIsNamedByItsNamespace() {
        record(call(Verb.CREATE, "things", null, ""), AFTER);
        assertThat(observed).extracting(ObservedWrite::object).containsExactly("shop/*");
        record(call(Verb.PATCH, "things", null, ""), AFTER);
        assertThat(observed).extracting(ObservedWrite::effect).containsExactly(Effect.CREATED);
        assertThat(server.requests()).isEmpty();
    }

    /** The responses are not the object, and may be confidential. */
    @Test
    void subresourceThatIsCreatedAndDeletionsHaveNoFields() {
        record(call(Verb.CREATE, "things", ObjectKey.of("shop", "foo"), "token"), "no JSON");
        assertThat(observed).extracting(ObservedWrite::effect).containsExactly(Effect.CHANGED);
        assertThat(observed.get(0).changes()).isEmpty();
        record(call(Verb.DELETE), "no JSON");
        assertThat(observed).extracting(ObservedWrite::effect).containsExactly(Effect.DELETED);
        record(call(Verb.DELETE_ALL, "things", null, ""), "no JSON");
        assertThat(observed).extracting(ObservedWrite::effect).containsExactly(Effect.DELETED);
        record(call(Verb.UPDATE, "things", ObjectKey.of("shop", "foo"), "status"), AFTER);
        assertThat(observed.get(0).changes()).hasSize(1);
    }

    @Test
    void writeWhenTheObjectCannotBeReadThrows() {
        server.answer(request -> {
            throw new ForbiddenException("no", ErrorDetails.none());
        });
        assertThatThrownBy(() -> record(call(Verb.UPDATE), AFTER)).isInstanceOf(ForbiddenException.class);
        assertThat(observed).isEmpty();
    }

    private static ObservedWrite write(String subresource, Effect effect, Change... changes) {
        ClientCall call = call(Verb.UPDATE, "things", ObjectKey.of("shop", "foo"), subresource);
        return new ObservedWrite(call, "shop/foo", effect, List.of(changes));
    }

    @Test
    void logNamesEachEffectOnce() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.client.observe")) {
            DryRunRecorder.Log observer = new DryRunRecorder.Log();
            for (int i = 0; i < 2; i++) {
                observer.observed(write("", Effect.CHANGED, new Change("a", "1", ""), new Change("b", "", "2")));
                observer.observed(write("status", Effect.CREATED));
            }
            observer.observed(write("", Effect.DELETED));
            String start = "INFO Observe mode: update things";
            assertThat(log.lines(Level.DEBUG))
                    .containsExactly(
                            start + " shop/foo would have changed it: a 1 -> (none); b (none) -> 2",
                            start + "/status shop/foo would have created it",
                            start + " shop/foo would have deleted it");
        }
    }
}
