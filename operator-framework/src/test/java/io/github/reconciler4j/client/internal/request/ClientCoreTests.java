package io.github.reconciler4j.client.internal.request;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.Discovery.ServedKind;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.InternalErrorException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.request.ClientCore.KnownObjects;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.scheme.UnknownKindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What refusals mean, and which kinds, keys and namespaces a client accepts. */
class ClientCoreTests {

    private static final KindInfo WIDGET = new KindInfo(KindName.of("apps.example/v1", "Widget"), "widgets", true);
    private static final KindInfo PLANET = new KindInfo(KindName.of("apps.example/v1", "Planet"), "planets", false);
    private static final ObjectKey KEY = ObjectKey.of("shop", "foo");

    private final AnsweringConnection server = new AnsweringConnection(request -> json(200, "{}"));
    private final Discovery discovery = mock(Discovery.class);
    private final List<String> notified = new ArrayList<>();
    private final ClientCore core = core(ClientOptions.defaults());

    private ClientCore core(ClientOptions options) {
        WriteListener listener = new WriteListener() {
            @Override
            public void written(KindInfo kind, byte[] json) {
                throw new AssertionError("nothing was written");
            }

            @Override
            public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
                throw new AssertionError("nothing was deleted");
            }

            @Override
            public void refused(KindInfo kind, ObjectKey key) {
                notified.add("refused " + key);
            }

            @Override
            public void unanswered(KindInfo kind, ObjectKey key) {
                notified.add("unanswered " + key);
            }
        };
        return ClientCore.create(
                new ClientCore.Shared(
                        new CallSender(server, WriteGate.OPEN, options),
                        Scheme.create(),
                        discovery,
                        new ClientCore.WriteContext(listener, "operator", new KnownObjects(null))),
                options);
    }

    private static ClientCall call(Verb verb, Optional<ObjectKey> key, String subresource, boolean dryRun) {
        ApiRequest request = ApiRequest.of(verb.word(), "PUT", "/apis/apps.example/v1/namespaces/shop/widgets/foo");
        return new Call(verb, WIDGET, key, subresource, dryRun, false, request);
    }

    private static ClientCall update() {
        return call(Verb.UPDATE, Optional.of(KEY), "", false);
    }

    private Throwable failure(ClientCall call, ApiException failure) {
        notified.clear();
        server.answer(request -> {
            throw failure;
        });
        return catchThrowable(() -> core.send(call));
    }

    private static ConflictException conflict(String... reasons) {
        List<ApiException.Cause> causes = new ArrayList<>();
        for (String reason : reasons) {
            causes.add(new ApiException.Cause("spec", reason, ""));
        }
        return new ConflictException(
                "conflict", ErrorDetails.of(409, "Conflict").withCauses(causes));
    }

    @Test
    void refusalIsReportedIfItShowsTheStateOfTheObject() {
        for (ApiException refusal : List.of(
                new NotFoundException("none"),
                conflict(),
                conflict("FieldValueInvalid"),
                new AlreadyExistsException("there", ErrorDetails.of(409, "AlreadyExists")))) {
            assertThat(failure(update(), refusal)).isSameAs(refusal);
            assertThat(notified).containsExactly("refused shop/foo");
            failure(call(Verb.GET, Optional.of(KEY), "", false), refusal);
            assertThat(notified).as("a read").isEmpty();
            failure(call(Verb.UPDATE, Optional.of(KEY), "", true), refusal);
            assertThat(notified).as("a dry run").isEmpty();
            failure(call(Verb.DELETE_ALL, Optional.empty(), "", false), refusal);
            assertThat(notified).as("no key").isEmpty();
        }
        assertThat(failure(update(), conflict("other", "FieldManagerConflict"))).isInstanceOf(ConflictException.class);
        assertThat(notified).as("about owners of fields").isEmpty();
        verify(discovery, never()).forget();
    }

    @Test
    void lostResponseIsReportedIfTheWriteMayHaveBeenCarriedOut() {
        ApiException failed = new InternalErrorException("storage", ErrorDetails.of(500, "InternalError"));
        assertThat(failure(update(), failed)).isSameAs(failed);
        assertThat(notified).containsExactly("unanswered shop/foo");
        failure(call(Verb.GET, Optional.of(KEY), "", false), failed);
        assertThat(notified).as("a read").isEmpty();
        failure(call(Verb.UPDATE, Optional.of(KEY), "", true), failed);
        assertThat(notified).as("a dry run").isEmpty();
        failure(call(Verb.DELETE_ALL, Optional.empty(), "", false), failed);
        assertThat(notified).as("no key").isEmpty();
        failure(update(), new ForbiddenException("no", ErrorDetails.of(403, "Forbidden")));
        assertThat(notified).as("refused").isEmpty();
    }

    @Test
    void kindWhenItIsNotServedIsLookedUpAgain() {
        KindNotServedException failure = new KindNotServedException("not served");
        assertThat(failure(update(), failure)).isSameAs(failure);
        verify(discovery, times(1)).forget();
        when(discovery.find(any())).thenReturn(Optional.empty());
        assertThat(failure(call(Verb.UPDATE, Optional.of(KEY), "status", false), failure))
                .isSameAs(failure);
        verify(discovery, times(2)).forget();
    }

    private void served(String... subresources) {
        when(discovery.find(WIDGET.kind()))
                .thenReturn(Optional.of(new ServedKind(WIDGET, Set.of(subresources), Set.of())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "scale"})
    void subresourceWhenTheKindDoesNotDeclareItIsNamed(String name) {
        ClientCall call = call(Verb.UPDATE, Optional.of(KEY), name, false);
        NotFoundException failure = new NotFoundException("none");
        served("other");
        assertThat(failure(call, failure))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("Widget.v1.apps.example has no subresource '" + name + "'")
                .hasMessageEndingWith("declare 'subresources." + name
                        + "' for version v1 in the definition widgets.apps.example (R4J-015)");
        served("other", name);
        assertThat(failure(call, failure)).isSameAs(failure);
        when(discovery.find(WIDGET.kind())).thenReturn(Optional.empty());
        assertThat(failure(call, failure)).isSameAs(failure);
        when(discovery.find(WIDGET.kind())).thenThrow(new ForbiddenException("no", ErrorDetails.none()));
        assertThat(failure(call, failure)).isSameAs(failure);
    }

    @Test
    void subresourceWhenItCannotBeDeclaredIsNamedOnly() {
        served();
        assertThat(failure(call(Verb.CREATE, Optional.of(KEY), "eviction", false), new NotFoundException("none")))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageEndingWith("has no subresource 'eviction'");
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void writeIsADryRunIfTheCallTheClientOrTheScopeSaysSo(WriteMode mode) throws Exception {
        ClientCore client = core(ClientOptions.defaults().withMode(mode));
        assertThat(client.isDryRun(true)).isTrue();
        assertThat(client.isDryRun(false)).isEqualTo(mode != WriteMode.NORMAL);
        assertThat(DryRunScope.call(() -> client.isDryRun(false))).isTrue();
    }

    @Test
    void kindWhenUnknownIsLookedUpOnce() {
        served();
        GenericKubernetesResource object = new GenericKubernetesResource();
        assertThatThrownBy(() -> core.kindOf(object)).isInstanceOf(UnknownKindException.class);
        object.setKind("Widget");
        assertThatThrownBy(() -> core.kindOf(object)).isInstanceOf(UnknownKindException.class);
        object.setApiVersion("apps.example/v1");
        assertThat(core.kindOf(object)).isEqualTo(WIDGET);
        assertThat(core.kindOf(Kind.of(WIDGET.kind()))).isEqualTo(WIDGET);
        verify(discovery, times(1)).find(WIDGET.kind());
        assertThatThrownBy(() -> core.kindOf(Kind.of(PLANET.kind())))
                .isInstanceOf(UnknownKindException.class)
                .hasMessageStartingWith("The API server does not serve " + PLANET.kind())
                .hasMessageContaining("install its CustomResourceDefinition");
    }

    @Test
    void keyIsThatWithinTheNamespaceOfTheClient() {
        ClientCore own = core.withNamespace("shop");
        assertThat(own.namespace()).isEqualTo("shop");
        assertThat(own.withOptions(ClientOptions.defaults()).namespace()).isEqualTo("shop");
        assertThat(core.key(WIDGET, KEY)).isEqualTo(KEY);
        assertThat(own.key(WIDGET, KEY)).isEqualTo(KEY);
        assertThat(own.key(WIDGET, ObjectKey.ofName("foo"))).isEqualTo(KEY);
        for (ClientCore any : List.of(core, own)) {
            assertThat(any.key(PLANET, KEY)).isEqualTo(ObjectKey.ofName("foo"));
            assertThat(any.key(PLANET, ObjectKey.ofName("foo"))).isEqualTo(ObjectKey.ofName("foo"));
            assertThat(any.scoped(PLANET, Selection.inNamespace("other")).namespace())
                    .isEmpty();
            assertThat(any.scoped(WIDGET, Selection.inNamespace("shop")).namespace())
                    .isEqualTo("shop");
        }
        assertThat(core.scoped(WIDGET, Selection.all())).isEqualTo(Selection.all());
        assertThat(own.scoped(WIDGET, Selection.all().withLimit(3)))
                .isEqualTo(Selection.inNamespace("shop").withLimit(3));
        assertThatThrownBy(() -> core.key(WIDGET, ObjectKey.ofName("foo"))).hasMessageContaining("needs a namespace");
        assertThatThrownBy(() -> own.key(WIDGET, ObjectKey.of("other", "foo")))
                .hasMessageContaining("'shop'")
                .hasMessageContaining("'other'");
        assertThatThrownBy(() -> own.scoped(WIDGET, Selection.inNamespace("other")))
                .hasMessageContaining("'other'");
        assertThatThrownBy(() -> core.scoped(WIDGET, Selection.inNamespace("a/b")))
                .hasMessageContaining("'namespace'");
    }

    @Test
    void partsAreThoseItWasCreatedWith() {
        assertThat(core.discovery()).isSameAs(discovery);
        assertThat(core.defaultFieldManager()).isEqualTo("operator");
        assertThat(core.namespace()).isEmpty();
    }
}
