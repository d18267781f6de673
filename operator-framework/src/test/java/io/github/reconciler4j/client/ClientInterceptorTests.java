package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ClientInterceptorTests extends ScriptedClientFixture {

    private static final Map<Verb, Consumer<Client>> CALLS = Map.of(
            Verb.GET, client -> client.live().get(ConfigMap.class, FOO),
            Verb.LIST, client -> client.live().list(Kind.of(ConfigMap.class), Selection.all()),
            Verb.CREATE, client -> client.create(configMap()),
            Verb.UPDATE, client -> client.update(configMap()),
            Verb.PATCH, client -> client.patch(configMap(), ObjectPatch.merge(Map.of("data", Map.of("b", "c")))),
            Verb.APPLY, client -> client.applyUnconditionally(configMap(), ApplyOptions.defaults()),
            Verb.DELETE, client -> client.delete(configMap()),
            Verb.DELETE_ALL,
                    client -> client.deleteAll(
                            Kind.of(ConfigMap.class), Selection.inNamespace("shop"), DeletionOptions.defaults()));

    private static ApiResponse stored(String version) {
        return new ApiResponse(
                200, STORED.replace("\"7\"", '"' + version + '"').getBytes(StandardCharsets.UTF_8), List.of());
    }

    private ScriptedServer echo() {
        return server((request, out) -> out.write(ScriptedServer.json(
                200,
                Set.of("GET", "DELETE").contains(request.method())
                                && !request.target().contains("/foo")
                        ? "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}"
                        : STORED)));
    }

    @Test
    void interceptWhenCallHasAnyVerbIsCalledOnceOutermostFirst() {
        Client client = client(echo());
        Set<Verb> called = EnumSet.noneOf(Verb.class);
        CALLS.forEach((verb, call) -> {
            List<String> seen = new ArrayList<>();

            call.accept(client.intercepted(noting("outer", seen)).intercepted(noting("inner", seen)));

            assertThat(seen)
                    .as(verb.name())
                    .containsExactly("outer " + verb, "inner " + verb, "inner responds", "outer responds");
            called.add(verb);
        });
        assertThat(called).isEqualTo(EnumSet.allOf(Verb.class));
    }

    private static ClientInterceptor noting(String name, List<String> seen) {
        return (call, next) -> {
            seen.add(name + " " + call.verb());
            ApiResponse response = next.proceed(call);
            seen.add(name + " responds");
            return response;
        };
    }

    @Test
    void interceptWhenItRespondsItselfSendsNothing() {
        ScriptedServer server = answering(STORED);
        List<String> seen = new ArrayList<>();
        Client client = client(server).intercepted((call, next) -> {
            seen.add((call.verb().word() + " " + call.subresource()).strip());
            return call.verb() == Verb.UPDATE && call.subresource().isEmpty() ? stored("8") : next.proceed(call);
        });

        assertThat(client.update(configMap()).getMetadata().getResourceVersion())
                .isEqualTo("8");
        client.status().update(configMap());
        client.create(configMap());

        assertThat(seen).containsExactly("update", "update status", "create");
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void interceptWhenItChangesTheCallReachesInnerOnesAndTheServer() {
        ScriptedServer server = answering(STORED);
        List<Map<String, String>> inner = new ArrayList<>();
        Client client = client(server)
                .intercepted((call, next) ->
                        next.proceed(call.withRequest(call.request().withHeaders(Map.of("X-Ticket", "42")))))
                .intercepted((call, next) -> {
                    inner.add(call.request().headers());
                    return next.proceed(call);
                });

        client.create(configMap());

        assertThat(inner).containsExactly(Map.of("X-Ticket", "42"));
        assertThat(server.requests().get(0).headers()).containsEntry("x-ticket", "42");
    }

    @Test
    void interceptWhenItProceedsTwiceSendsTwice() {
        ScriptedServer server = answering(STORED);
        Client client = client(server).intercepted((call, next) -> {
            next.proceed(call);
            return next.proceed(call);
        });

        client.create(configMap());

        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void interceptWhenItThrowsPassesThroughTheOuterOneToTheCaller() {
        ScriptedServer server = answering(STORED);
        ConflictException conflict = new ConflictException("changed", ErrorDetails.of(409, "Conflict"));
        List<Throwable> outer = new ArrayList<>();
        Client client = client(server)
                .intercepted((call, next) -> {
                    try {
                        return next.proceed(call);
                    } catch (RuntimeException e) {
                        outer.add(e);
                        throw e;
                    }
                })
                .intercepted((call, next) -> {
                    throw conflict;
                });

        assertThatThrownBy(() -> client.create(configMap())).isSameAs(conflict);

        assertThat(outer).containsExactly(conflict);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // what a user can write without it
    void interceptWhenItReturnsNullNamesTheInterceptorAndTheCall() {
        Client client = client(answering(STORED)).intercepted(new Forgetful());

        assertThatThrownBy(() -> client.create(configMap()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("create configmaps in shop")
                .hasMessageContaining(Forgetful.class.getName())
                .hasMessageContaining("next.proceed");
    }

    private static final class Forgetful implements ClientInterceptor {
        @Override
        @SuppressWarnings("NullAway")
        public ApiResponse intercept(ClientCall call, Next next) {
            next.proceed(call);
            return null;
        }
    }
}
