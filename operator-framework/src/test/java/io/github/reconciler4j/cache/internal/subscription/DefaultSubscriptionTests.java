package io.github.reconciler4j.cache.internal.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of one subscription: what it delivers, what it clears away after the listener, and how it ends. */
@Timeout(120)
class DefaultSubscriptionTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScheduledExecutorService timer = mock();
    private final EntryDecoder<ConfigMap> decoder = mock();
    private final ManualTimeSource time = new ManualTimeSource();
    private final ObjectStore store = new ObjectStore();
    private final ChangeFeed feed = new ChangeFeed(store, Duration.ZERO, timer);
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger gauges = new AtomicInteger();
    private LongConsumer processed = nanos -> {};

    @AfterEach
    void close() {
        feed.close();
    }

    private static Entry entry(String name, int uid, String version) {
        return new Entry(Json.header("a", name, uid, version, "v"), "{}".getBytes(UTF_8), BodyForm.PLAIN);
    }

    private DefaultSubscription<ConfigMap> subscribe(ObjectListener<ConfigMap> listener) {
        return DefaultSubscription.start(
                new DefaultSubscription.Origin(
                        Scheme.create().kindOf(ConfigMap.class), feed, () -> "", time, new LogLimiter(), processed),
                new DefaultSubscription.View<>(decoder, true),
                "test",
                listener,
                (depth, lag) -> {
                    gauges.incrementAndGet();
                    return gauges::decrementAndGet;
                },
                () -> {});
    }

    private static void pause(CountDownLatch until) {
        try {
            until.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String version(ObjectEvent<ConfigMap> event) {
        return event.snapshot().header().resourceVersion();
    }

    private void awaitEvents(String... expected) {
        await("events").atMost(LONG).untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    @Test
    void updateHasTheStateBefore() {
        subscribe(event -> events.add(
                event instanceof ObjectEvent.Updated<ConfigMap> updated
                        ? updated.previous().header().resourceVersion() + " to " + version(event)
                        : version(event)));
        feed.write(List.of(Change.created(entry("x", 1, "1"), false)));
        awaitEvents("1");
        feed.write(List.of(Change.updated(entry("x", 1, "1"), entry("x", 1, "2"))));
        awaitEvents("1", "1 to 2");
    }

    @Test
    void timeOfTheListenerIsMeasured() {
        List<Long> nanos = new CopyOnWriteArrayList<>();
        processed = nanos::add;
        time.advance(Duration.ofHours(1));
        subscribe(event -> time.advance(Duration.ofSeconds(3)));
        feed.write(List.of(Change.created(entry("x", 1, "1"), false)));
        await("measurement").atMost(LONG).untilAsserted(() -> assertThat(nanos).containsExactly(3_000_000_000L));
    }

    @Test
    void eventWhenItsMeasurementFailsIsDeliveredAgain() {
        AtomicBoolean broken = new AtomicBoolean(true);
        processed = nanos -> {
            if (broken.getAndSet(false)) {
                throw new IllegalStateException("from the metrics");
            }
        };
        subscribe(event -> events.add(version(event)));
        feed.write(List.of(Change.created(entry("x", 1, "1"), false)));
        awaitEvents("1", "1");
        feed.write(List.of(Change.created(entry("y", 2, "2"), false)));
        awaitEvents("1", "1", "2");
    }

    /** A deletion and the creation of another object with the same name wait together. */
    @Test
    void interruptThatAListenerLeavesDoesNotReachTheNextEvent() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(1);
        subscribe(event -> {
            if (version(event).equals("1")) {
                running.countDown();
                pause(both);
            }
            events.add(version(event) + (Thread.currentThread().isInterrupted() ? " interrupted" : ""));
            Thread.currentThread().interrupt();
        });
        feed.write(List.of(Change.created(entry("x", 1, "1"), false)));
        running.await();
        feed.write(List.of(Change.deleted(entry("x", 1, "1"), entry("x", 1, "2"), false)));
        feed.write(List.of(Change.created(entry("x", 7, "3"), false)));
        both.countDown();
        awaitEvents("1", "2", "3");
    }

    @Test
    void closeInterruptsTheListenerAndWaitsForIt() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        DefaultSubscription<ConfigMap> subscription = subscribe(event -> {
            running.countDown();
            try {
                pause(never);
            } finally {
                ended.set(true);
            }
        });
        feed.write(List.of(Change.created(entry("x", 1, "1"), false)));
        running.await();
        try (CapturedLog log = CapturedLog.of(DefaultSubscription.class.getName())) {
            subscription.close();
            assertThat(ended).isTrue();
            assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("still running"));
        }
    }

    @Test
    void closeByTheListenerItselfDoesNotWait() {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch subscribed = new CountDownLatch(1);
        DefaultSubscription<?>[] own = new DefaultSubscription<?>[1];
        own[0] = subscribe(event -> {
            pause(subscribed);
            own[0].close();
            interrupted.set(Thread.currentThread().isInterrupted());
            events.add("closed");
        });
        subscribed.countDown();
        feed.write(List.of(Change.created(entry("x", 1, "1"), false)));
        awaitEvents("closed");
        assertThat(interrupted).isFalse();
    }

    @Test
    void closeOfTheFeedDoesNotCloseASubscriptionAgainAndStopsTheFeed() {
        subscribe(event -> {}).close();
        assertThat(gauges).hasValue(0);
        feed.close();
        assertThat(gauges).hasValue(0);
        assertThatThrownBy(() -> subscribe(event -> {})).hasMessage("The cache is closed");
    }
}
