package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A reflector of ConfigMaps on a connection that the test answers. */
public abstract class ReflectorFixture {

    public static final Duration LONG = Duration.ofSeconds(30);

    final FakeConnection server = new FakeConnection();
    final List<String> events = new CopyOnWriteArrayList<>();
    DefaultCache cache;
    Informer<ConfigMap> informer;

    @BeforeEach
    void makeCache() {
        makeCache(false, LONG);
    }

    void makeCache(boolean watchList, Duration idle) {
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofMillis(1), Duration.ofMillis(20))
                .withIdleTimeout(idle)
                .withPageSize(2)
                .withListMode(watchList ? WatchOptions.ListMode.STREAMED : WatchOptions.ListMode.WHOLE);
        makeCache(CacheOptions.defaults().withWatch(watch).withSyncTimeout(LONG));
    }

    void makeCache(CacheOptions options) {
        cache = new DefaultCache(server, Scheme.create(), options);
        informer = cache.informer(ConfigMap.class);
        informer.subscribe("test", this::record);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private void record(ObjectEvent<ConfigMap> event) {
        String suffix = event.snapshot().key() + "@" + event.snapshot().header().resourceVersion();
        if (event instanceof ObjectEvent.Created<ConfigMap> created) {
            events.add((created.initial() ? "initial " : "created ") + suffix);
        } else if (event instanceof ObjectEvent.Updated<ConfigMap> updated) {
            events.add((updated.resync() ? "resync " : "updated ") + suffix);
        } else if (event instanceof ObjectEvent.Deleted<ConfigMap> deleted) {
            events.add((deleted.finalStateUnknown() ? "lost " : "deleted ") + suffix);
        }
    }

    void awaitEvents(String... expected) {
        await("events").atMost(LONG).untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    ApiRequest request(int number) {
        await("request " + number).atMost(LONG).until(() -> server.requests.size() > number);
        return server.requests.get(number);
    }

    public static List<String> parameter(ApiRequest request, String name) {
        return request.query().getOrDefault(name, List.of());
    }

    KindStatus status() {
        return cache.kinds().get(0);
    }

    void awaitEventsEventually(String... oneOf) {
        await("event").atMost(LONG).untilAsserted(() -> assertThat(events).containsAnyOf(oneOf));
    }
}
