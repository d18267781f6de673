package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ListStreamingTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE); // it may run over
    private final ListStreaming streaming = new ListStreaming(true, time::get);

    private void pass(long seconds) {
        time.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void isDueWhenItFailedIsFalseForAMinuteThenTwo() {
        assertThat(streaming.isDue()).isTrue();
        streaming.failed();
        assertThat(streaming.isDue()).isFalse();
        pass(59);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();

        streaming.failed();
        pass(119);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItFailsForeverIsTrueOnceAnHour() {
        for (int i = 0; i < 100; i++) {
            streaming.failed();
        }
        pass(3599);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItWorkedInBetweenIsFalseForOneMinuteOnly() {
        streaming.failed();
        streaming.failed();
        streaming.worked();
        assertThat(streaming.isDue()).isTrue();
        streaming.failed();
        pass(60);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItIsNotWantedIsNever() {
        assertThat(new ListStreaming(false, time::get).isDue()).isFalse();
    }

    @Test
    void startWhenOneKindsStreamBreaksStreamsOtherKinds() {
        FakeConnection server = new FakeConnection();
        try (DefaultCache cache = new DefaultCache(server, Scheme.create(), CacheOptions.defaults())) {
            server.whole(bookmark(5, false)).whole(list(10, "")); // the end is not marked, so it is listed
            server.open();
            cache.start();
            cache.informer(ConfigMap.class);
            await("configmaps").atMost(LONG).until(cache.informer(ConfigMap.class)::hasSynced);

            server.open().send(bookmark(11, true));
            cache.informer(Secret.class);
            await("secrets").atMost(LONG).until(cache.informer(Secret.class)::hasSynced);

            await("requests").atMost(LONG).until(() -> server.requests.size() == 4);
            assertThat(server.requests)
                    .extracting(request -> request.path().replaceAll(".*/", "") + " "
                            + request.query().containsKey("sendInitialEvents"))
                    .containsExactly("configmaps true", "configmaps false", "configmaps false", "secrets true");
        }
    }
}
