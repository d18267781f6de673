package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.test.request.ServerRequest;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Controllers that watch the same kind, or share a source, with the cache and a server inside the JVM. */
class ControllersOfOneKindTests extends ControllerTestServerFixture {

    private RequestControllerBuilder<Request> named(String name) {
        return ControllerBuilder.forRequests(name, Request.class).reconciler(noting(name + " "));
    }

    private void configMap(String name) {
        client().create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .endMetadata()
                .addToData("key", "value")
                .build());
    }

    private boolean isOfConfigMaps(ServerRequest request, String verb) {
        return request.resource().equals("configmaps") && request.verb().equals(verb);
    }

    @Test
    void metadataWatchesOfSeveralControllersShareOneWatch() {
        for (String name : List.of("one", "other")) {
            named(name)
                    .watches(Watch.kind(Kind.of(ConfigMap.class).metadata())
                            .map(header -> List.of(Request.of(header.key()))))
                    .addTo(manager());
        }
        start();
        configMap("a");
        eventually("both", () -> seen().containsAll(List.of("one a", "other a")));
        assertThat(server.requests().count(request -> isOfConfigMaps(request, "watch")))
                .isEqualTo(1);
        assertThat(server.requests().count(request -> isOfConfigMaps(request, "list")))
                .isEqualTo(1);
    }

    @Test
    void channelWhenItSendsBeforeTheStartReachesEveryController() {
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("outside");
        for (String name : List.of("one", "other", "third")) {
            named(name).source(channel).addTo(manager());
        }
        channel.send(new Request(namespace(), "early"));
        start();
        eventually("all", () -> seen().containsAll(List.of("one early", "other early", "third early")));
        assertThat(seen()).hasSize(3);
    }

    @Test
    void handlerWhenItBlocksDelaysNoOtherControllerAndNoRead() {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        named("blocked")
                .watches(ConfigMap.class, map -> {
                    blocked.incrementAndGet();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return List.of(Request.of(map));
                })
                .addTo(manager());
        named("free")
                .watches(ConfigMap.class, map -> List.of(Request.of(map)))
                .watches(Widget.class, widget -> List.of(Request.of(widget)))
                .addTo(manager());
        try {
            start();
            configMap("a");
            eventually("blocked", () -> blocked.get() == 1);
            configMap("b");
            client().create(Widget.of(namespace(), "w", 1));
            eventually("others continue", () -> seen().containsAll(List.of("free a", "free b", "free w")));
            assertThat(client().get(ConfigMap.class, key("b"))).isPresent();
            assertThat(seen()).noneMatch(line -> line.startsWith("blocked"));
        } finally {
            released.countDown();
        }
        eventually("the blocked one follows", () -> seen().containsAll(List.of("blocked a", "blocked b")));
    }

    @Test
    void workersStartWhenTheHandlerHasSeenTheWholeInitialList() {
        int count = 200;
        for (int i = 0; i < count; i++) {
            configMap("map-" + i);
        }
        AtomicInteger mapped = new AtomicInteger();
        ControllerBuilder.forRequests("slow", Request.class)
                .watches(ConfigMap.class, map -> {
                    sleep();
                    mapped.incrementAndGet();
                    return List.of(Request.of(map));
                })
                .reconciler((request, context) -> {
                    seen().add("mapped " + mapped.get());
                    return Result.done();
                })
                .addTo(manager());
        start();
        eventually("first", () -> !seen().isEmpty());
        assertThat(seen().get(0)).isEqualTo("mapped " + count);
    }

    /** Makes the handler slower than the list, so that the order is not by chance. */
    private static void sleep() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
