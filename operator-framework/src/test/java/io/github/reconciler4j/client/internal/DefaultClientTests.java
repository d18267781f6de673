package io.github.reconciler4j.client.internal;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.same;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where reads go, and what derived clients have in common. */
class DefaultClientTests {

    private static final Kind<GenericKubernetesResource> CONFIG_MAP = Kind.of("v1", "ConfigMap");
    private static final ObjectKey FOO = ObjectKey.of("shop", "foo");
    private static final Selection SHOP = Selection.inNamespace("shop");

    private final AnsweringConnection server = new AnsweringConnection(request -> json(
            200,
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'foo','namespace':'shop','uid':'server',"
                    + "'resourceVersion':'7'}}"));
    private final ReadYourWritesReader cache = mock(ReadYourWritesReader.class);

    private Client client(@Nullable Reader reader, ClientOptions options) {
        ClientWiring wiring = ClientWiring.of(server, Scheme.create().register(ConfigMap.class));
        return (reader == null ? wiring : wiring.withCache(reader)).create(options);
    }

    private static ConfigMap map(String namespace, String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace(namespace)
                .withUid(uid)
                .endMetadata()
                .build();
    }

    private Client cached() {
        when(cache.writeListener()).thenReturn(WriteListener.NONE);
        return client(cache, ClientOptions.defaults());
    }

    @Test
    void readsGoToTheCache() {
        Client client = cached();
        Optional<ConfigMap> one = Optional.of(map("shop", "cache"));
        Optional<GenericKubernetesResource> generic = Optional.of(new GenericKubernetesResource());
        Optional<ObjectHeader> header = Optional.of(mock(ObjectHeader.class));
        when(cache.get(same(Kind.of(ConfigMap.class)), eq(FOO))).thenReturn(one);
        when(cache.get(same(CONFIG_MAP), eq(FOO))).thenReturn(generic);
        when(cache.list(same(Kind.of(ConfigMap.class)), eq(SHOP))).thenReturn(List.of(one.get()));
        when(cache.list(same(CONFIG_MAP), eq(SHOP))).thenReturn(List.of(generic.get()));
        when(cache.get(same(Kind.of(ConfigMap.class).metadata()), eq(FOO))).thenReturn(header);
        when(cache.get(same(CONFIG_MAP.metadata()), eq(FOO))).thenReturn(header);
        when(cache.list(same(Kind.of(ConfigMap.class).metadata()), eq(SHOP))).thenReturn(List.of(header.get()));
        when(cache.list(same(CONFIG_MAP.metadata()), eq(SHOP))).thenReturn(List.of(header.get()));
        for (Client any : List.of(client, client.inNamespace("shop"), client.withFieldManager("x"), client.dryRun())) {
            assertThat(any.get(ConfigMap.class, FOO)).isSameAs(one);
            assertThat(any.get(CONFIG_MAP, FOO)).isSameAs(generic);
            assertThat(any.list(Kind.of(ConfigMap.class), SHOP)).containsExactly(one.get());
            assertThat(any.list(CONFIG_MAP, SHOP)).containsExactly(generic.get());
            assertThat(any.get(Kind.of(ConfigMap.class).metadata(), FOO)).isSameAs(header);
            assertThat(any.get(CONFIG_MAP.metadata(), FOO)).isSameAs(header);
            assertThat(any.list(Kind.of(ConfigMap.class).metadata(), SHOP)).containsExactly(header.get());
            assertThat(any.list(CONFIG_MAP.metadata(), SHOP)).containsExactly(header.get());
        }
        assertThat(server.requests()).isEmpty();
        assertThat(client.live().get(ConfigMap.class, FOO)).get().isNotSameAs(one.get());
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void readsWithoutACacheAndOfExcludedKindsGoToTheServer() {
        when(cache.writeListener()).thenReturn(WriteListener.NONE);
        ClientOptions uncached = ClientOptions.defaults().withUncached(ConfigMap.class);
        for (Client any : List.of(client(null, ClientOptions.defaults()), client(cache, uncached))) {
            assertThat(any.get(ConfigMap.class, FOO).orElseThrow().getMetadata().getUid())
                    .isEqualTo("server");
        }
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void ownedObjectsAreThoseInTheNamespaceOfTheClient() {
        Client client = cached();
        Namespace everywhere = new NamespaceBuilder()
                .withNewMetadata()
                .withName("owner")
                .withUid("o")
                .endMetadata()
                .build();
        List<ConfigMap> both = List.of(map("shop", "1"), map("other", "2"));
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setMetadata(both.get(1).getMetadata());
        when(cache.listOwned(any(), same(Kind.of(ConfigMap.class)))).thenReturn(both);
        when(cache.listOwned(any(), same(CONFIG_MAP))).thenReturn(List.of(generic));
        assertThat(client.listOwned(everywhere, ConfigMap.class)).isSameAs(both);
        assertThat(client.listOwned(everywhere, CONFIG_MAP)).containsExactly(generic);
        Client own = client.inNamespace("shop");
        assertThat(own.listOwned(everywhere, ConfigMap.class)).containsExactly(both.get(0));
        assertThat(own.listOwned(everywhere, CONFIG_MAP)).isEmpty();
        assertThat(own.listOwned(map("shop", "x"), ConfigMap.class))
                .as("of an owner in that namespace")
                .isSameAs(both);
        List<Namespace> clusterScoped = List.of(everywhere);
        when(cache.listOwned(any(), same(Kind.of(Namespace.class)))).thenReturn(clusterScoped);
        assertThat(own.listOwned(everywhere, Namespace.class)).isSameAs(clusterScoped);
    }

    @Test
    void readsWithoutPendingWritesGoToTheWatchedState() {
        Client client = cached();
        Reader watched = mock(Reader.class);
        when(cache.watched()).thenReturn(watched);
        Optional<ConfigMap> seen = Optional.of(map("shop", "watched"));
        when(watched.get(Kind.of(ConfigMap.class), FOO)).thenReturn(seen);
        assertThat(client.withoutPendingWrites().get(ConfigMap.class, FOO)).isSameAs(seen);
        Client live = client(null, ClientOptions.defaults());
        assertThat(live.withoutPendingWrites()).isSameAs(live);
    }

    @Test
    void listenerIsThatOfTheCacheIfItShowsOwnWrites() {
        List<String> notified = new ArrayList<>();
        WriteListener listener = new WriteListener() {
            @Override
            public void written(KindInfo kind, byte[] json) {
                notified.add(kind.plural());
            }

            @Override
            public void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json) {}
        };
        when(cache.writeListener()).thenReturn(listener);
        client(cache, ClientOptions.defaults()).update(map("shop", "x"));
        ClientWiring.of(server, Scheme.create())
                .withWriteListener(listener)
                .withCache(mock(Reader.class))
                .create(ClientOptions.defaults())
                .update(map("shop", "x"));
        assertThat(notified).containsExactly("configmaps", "configmaps");
    }

    @Test
    void fieldManagerWhenItIsLongIsTruncated() {
        ClientWiring wiring = ClientWiring.of(server, Scheme.create()).withDefaultFieldManager("x".repeat(129));
        wiring.create(ClientOptions.defaults()).update(map("shop", "x"));
        wiring.withDefaultFieldManager("y".repeat(128))
                .create(ClientOptions.defaults())
                .update(map("shop", "x"));
        assertThat(server.requests())
                .extracting(request -> request.query().get("fieldManager").get(0))
                .containsExactly("x".repeat(128), "y".repeat(128));
    }

    @Test
    void derivedClientsShareWhatWasAppliedAndTheKinds() {
        Client client = client(null, ClientOptions.defaults());
        List<String> seen = new ArrayList<>();
        ClientInterceptor first = (call, next) -> {
            if (call.verb() == ClientCall.Verb.APPLY) {
                seen.add("apply");
            }
            return next.proceed(call);
        };
        Client intercepted = client.intercepted(first).intercepted(first);
        assertThat(intercepted
                        .applyWithOutcome(map("shop", "server"), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.UPDATED);
        assertThat(seen).containsExactly("apply", "apply");
        assertThat(client.inNamespace("shop")
                        .applyWithOutcome(map("shop", "server"), ApplyOptions.defaults())
                        .outcome())
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(intercepted.scheme()).isSameAs(client.scheme());
        assertThat(intercepted.discovery()).isNotNull().isSameAs(client.discovery());
        assertThat(client.createOrUpdate(map("shop", "server"), same -> {}).outcome())
                .isEqualTo(Outcome.UNCHANGED);
        assertThat(client.createOrPatch(map("shop", "server"), same -> {}).outcome())
                .isEqualTo(Outcome.UNCHANGED);
    }

    private static <T extends HasMetadata> T conflict(T object) {
        throw new ConflictException("changed", ErrorDetails.of(409, "Conflict"));
    }

    @Test
    void retryOnConflictReadsTheServerBeforeEachOfFiveAttempts() {
        Client client = cached();
        ConfigMap read = client.retryOnConflict(ConfigMap.class, FOO, map -> map);
        assertThat(read.getMetadata().getUid()).isEqualTo("server");
        server.requests().clear();
        assertThatThrownBy(() -> client.retryOnConflict(ConfigMap.class, FOO, DefaultClientTests::conflict))
                .isInstanceOf(ConflictException.class);
        assertThat(server.requests()).hasSize(5);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> client.retryOnConflict(ConfigMap.class, FOO, DefaultClientTests::conflict))
                .isInstanceOf(RequestInterruptedException.class)
                .hasMessageContaining("configmaps shop/foo");
        assertThat(Thread.interrupted()).isTrue();
        server.answer(request -> {
            throw new NotFoundException("none");
        });
        assertThatThrownBy(() -> client.retryOnConflict(ConfigMap.class, FOO, DefaultClientTests::conflict))
                .isExactlyInstanceOf(NotFoundException.class)
                .hasMessageContaining("configmaps shop/foo");
    }
}
