package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.grid.Verb.Content;
import io.github.reconciler4j.leaderelection.internal.ApiLeaseStore;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.leaderelection.internal.LeaseStore;
import io.github.reconciler4j.recorder.EventSinks;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calls of the public API that send requests. */
final class Verbs {

    private static final KindName KIND = KindName.of("v1", "ConfigMap");
    private static final ObjectKey FOO = ObjectKey.of("shop", "foo");
    private static final Selection SHOP = Selection.inNamespace("shop");
    private static final ObjectPatch PATCH = ObjectPatch.merge(Map.of("data", Map.of("a", "b")));
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final LeaseRecord RECORD =
            new LeaseRecord("me", new LeaseRecord.Term(15, 1), Instant.EPOCH, Instant.EPOCH);

    private static final String RAW_LENGTH = Integer.toString(Content.RAW.body().length);

    private Verbs() {}

    static List<Verb> all() {
        List<Verb> verbs = new ArrayList<>();
        addReads(verbs);
        addWrites(verbs);
        addConditionalWrites(verbs);
        addDeletes(verbs);
        addSubresources(verbs);
        addOthers(verbs);
        addLeases(verbs);
        return List.copyOf(verbs);
    }

    private static Verb object(String name, Verb.Action action) {
        return new Verb(name, Content.OBJECT, "shop/foo@7", "configmaps", action);
    }

    private static Verb list(String name, Verb.Action action) {
        return new Verb(name, Content.LIST, "[shop/foo@7]", "list configmaps", action);
    }

    private static void addReads(List<Verb> verbs) {
        verbs.add(object("get", s -> show(s.client().get(ConfigMap.class, FOO))));
        verbs.add(object("get generic", s -> show(s.client().get(Kind.of(KIND), FOO))));
        verbs.add(object(
                "header",
                s -> showHeader(s.client().get(Kind.of(ConfigMap.class).metadata(), FOO))));
        verbs.add(list("list", s -> show(s.client().list(Kind.of(ConfigMap.class), SHOP))));
        verbs.add(list("list generic", s -> show(s.client().list(Kind.of(KIND), SHOP))));
        verbs.add(list(
                "headers",
                s -> s.client().list(Kind.of(ConfigMap.class).metadata(), SHOP).stream()
                        .map(Verbs::show)
                        .toList()
                        .toString()));
        verbs.add(list(
                "stream",
                s -> show(
                        s.client().live().stream(Kind.of(ConfigMap.class), SHOP).toList())));
        verbs.add(list("list owned", s -> show(s.client().listOwned(owner(), ConfigMap.class))));
    }

    private static void addWrites(List<Verb> verbs) {
        verbs.add(object("create", s -> show(s.client().create(map()))));
        verbs.add(object("update", s -> show(s.client().update(map()))));
        verbs.add(object("patch", s -> show(s.client().patch(map(), PATCH))));
        verbs.add(object(
                "patch by key",
                s -> show(s.client().patch(Kind.of(ConfigMap.class), FOO, PATCH, WriteOptions.defaults()))));
        verbs.add(object(
                "patch generic", s -> show(s.client().patch(Kind.of(KIND), FOO, PATCH, WriteOptions.defaults()))));
        verbs.add(object("apply", s -> show(s.client().applyUnconditionally(map(), ApplyOptions.defaults()))));
    }

    private static void addConditionalWrites(List<Verb> verbs) {
        verbs.add(object("apply if changed", s -> show(s.client().apply(map()))));
        verbs.add(object(
                "create or update",
                s -> show(s.client()
                        .createOrUpdate(map(), same -> same.setData(Map.of("a", "c")))
                        .object())));
        verbs.add(object(
                "create or patch",
                s -> show(s.client()
                        .createOrPatch(map(), same -> same.setData(Map.of("a", "c")))
                        .object())));
        verbs.add(object(
                "retry on conflict",
                s -> show(s.client()
                        .<ConfigMap, ConfigMap>retryOnConflict(
                                ConfigMap.class, FOO, now -> s.client().update(now)))));
    }

    private static void addDeletes(List<Verb> verbs) {
        verbs.add(new Verb(
                "delete",
                Content.DELETED,
                "true",
                "delete configmaps shop/foo",
                s -> Boolean.toString(s.client().delete(Kind.of(ConfigMap.class), FOO, DeletionOptions.defaults()))));
        verbs.add(new Verb("delete all", Content.DELETED_ALL, "done", "configmaps in shop", s -> {
            s.client().deleteAll(Kind.of(ConfigMap.class), SHOP, DeletionOptions.defaults());
            return "done";
        }));
    }

    private static void addSubresources(List<Verb> verbs) {
        verbs.add(object("status update", s -> show(s.client().status().update(map()))));
        verbs.add(object("status patch", s -> show(s.client().status().patch(map(), PATCH))));
        verbs.add(object("status apply", s -> show(s.client().status().apply(map(), ApplyOptions.defaults()))));
        verbs.add(scale("scale get", s -> s.client().scale().get(map())));
        verbs.add(scale("scale set", s -> s.client().scale().set(map(), 3)));
        verbs.add(scale("subresource read", s -> s.client().subresource("scale").read(map(), Scale.class)));
        verbs.add(scale(
                "subresource write",
                s -> s.client().subresource("scale").write(map(), newScale(), WriteOptions.defaults())));
        verbs.add(scale(
                "subresource post",
                s -> s.client().subresource("scale").post(map(), newScale(), Scale.class, WriteOptions.defaults())));
    }

    private interface ScaleAction {
        Scale call(Verb.Setup setup);
    }

    private static Verb scale(String name, ScaleAction action) {
        return new Verb(name, Content.SCALE, "foo 3", "configmaps/scale shop/foo", s -> {
            Scale scale = action.call(s);
            return scale.getMetadata().getName() + " " + scale.getSpec().getReplicas();
        });
    }

    private static Scale newScale() {
        return new ScaleBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .endMetadata()
                .withNewSpec()
                .withReplicas(3)
                .endSpec()
                .build();
    }

    private static void addOthers(List<Verb> verbs) {
        verbs.add(new Verb(
                "discovery of kinds",
                Content.RESOURCES,
                "foos",
                "discover /apis/a.b/v1",
                s -> s.client()
                        .discovery()
                        .find(KindName.of("a.b/v1", "Foo"))
                        .map(found -> found.info().plural())
                        .orElse("absent")));
        verbs.add(new Verb("discovery of versions", Content.GROUP, "[v1]", "discover /apis/a.b", s -> {
            List<String> versions = s.client().discovery().versions("a.b");
            return versions.isEmpty() ? "absent" : versions.toString();
        }));
        verbs.add(new Verb("create event", Content.EVENT, "done", "create", s -> {
            EventSinks.create(s.connection(), map());
            return "done";
        }));
        verbs.add(new Verb("update event", Content.EVENT, "done", "patch", s -> {
            EventSinks.update(s.connection(), map());
            return "done";
        }));
        verbs.add(new Verb("send", Content.RAW, RAW_LENGTH, "read configmaps shop/foo", s -> {
            ApiRequest request = ApiRequest.of("read", "GET", "/api/v1/namespaces/shop/configmaps/foo");
            return Integer.toString(s.connection().send(request).body().length);
        }));
        verbs.add(new Verb("stream bytes", Content.RAW, RAW_LENGTH, "list configmaps in shop", s -> {
            ApiRequest request = ApiRequest.of("list", "GET", "/api/v1/namespaces/shop/configmaps");
            try (ApiStream stream = s.connection().stream(request)) {
                return Integer.toString(stream.readAllBytes().length);
            }
        }));
        verbs.add(new Verb("await server", Content.READY, "ready", "", s -> {
            s.connection().awaitServer(Duration.ofMillis(300));
            return "ready";
        }));
    }

    private static void addLeases(List<Verb> verbs) {
        verbs.add(lease("lease read", "get", store -> store.read(TIMEOUT)));
        verbs.add(lease("lease create", "create", store -> Optional.of(store.create(RECORD, TIMEOUT))));
        verbs.add(lease(
                "lease update",
                "update",
                store -> Optional.of(store.update(
                        new LeaseStore.StoredLease(
                                RECORD, KubernetesJson.mapper().readTree(Content.LEASE.body())),
                        RECORD,
                        TIMEOUT))));
    }

    private interface LeaseAction {
        Optional<LeaseStore.StoredLease> call(LeaseStore store) throws IOException;
    }

    private static Verb lease(String name, String verb, LeaseAction action) {
        return new Verb(
                name,
                Content.LEASE,
                "me 15 1",
                "shop",
                s -> action.call(store(s.connection()))
                        .map(stored -> stored.record().holder() + " "
                                + stored.record().term().seconds() + " "
                                + stored.record().term().transitions())
                        .orElse("absent"));
    }

    private static LeaseStore store(ApiConnection connection) {
        return new ApiLeaseStore(connection, ObjectKey.of("shop", "lock"), Map.of());
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .withResourceVersion("5")
                .endMetadata()
                .addToData("a", "1")
                .build();
    }

    private static HasMetadata owner() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("owner")
                .withNamespace("shop")
                .withUid("u9")
                .endMetadata()
                .build();
    }

    private static String show(Optional<? extends HasMetadata> object) {
        return object.map(Verbs::show).orElse("absent");
    }

    private static String show(List<? extends HasMetadata> objects) {
        return objects.stream().map(Verbs::show).toList().toString();
    }

    private static String show(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName() + "@"
                + object.getMetadata().getResourceVersion();
    }

    private static String showHeader(Optional<ObjectHeader> header) {
        return header.map(Verbs::show).orElse("absent");
    }

    private static String show(ObjectHeader header) {
        return header.key() + "@" + header.resourceVersion();
    }
}
