package io.github.reconciler4j.cache.internal.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.HeaderIndexes;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** A feed and its subscriptions, without reflectors. */
class ChangeFeedTests {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration HOUR = Duration.ofHours(1);

    private final ObjectStore store = new ObjectStore();
    private final ScheduledExecutorService timer = mock();
    private final ManualTimeSource time = new ManualTimeSource();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger gauges = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final EntryDecoder<ConfigMap> decoder = mock();
    private ChangeFeed feed = new ChangeFeed(store, HOUR, timer);
    private String notReady = "";
    private volatile CountDownLatch release = new CountDownLatch(0);

    @AfterEach
    void close() throws Exception {
        release.countDown();
        CompletableFuture.runAsync(feed::close).get(60, TimeUnit.SECONDS); // no lock is left
    }

    private static Entry entry(String name, String version, Object body, BodyForm form) {
        return new Entry(Json.header("a", name, 1, version, "v"), body, form);
    }

    private static Entry entry(String name, String version) {
        return entry(name, version, "{}".getBytes(UTF_8), BodyForm.PLAIN);
    }

    private static Entry bare(String name, String version) {
        return entry(name, version, BodyForm.NONE, BodyForm.NONE);
    }

    private void record(ObjectEvent<ConfigMap> event) {
        boolean initial = event instanceof ObjectEvent.Created<ConfigMap> created && created.initial();
        boolean resync = event instanceof ObjectEvent.Updated<ConfigMap> updated && updated.resync();
        events.add((initial ? "initial " : resync ? "resync " : "")
                + event.snapshot().header().resourceVersion());
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private DefaultSubscription<ConfigMap> subscribe(boolean bodies) {
        return DefaultSubscription.start(
                new DefaultSubscription.Origin(
                        Scheme.create().kindOf(ConfigMap.class),
                        feed,
                        () -> notReady,
                        time,
                        new LogLimiter(),
                        nanos -> {}),
                new DefaultSubscription.View<>(decoder, bodies),
                "test",
                this::record,
                (depth, lag) -> {
                    gauges.incrementAndGet();
                    return gauges::decrementAndGet;
                },
                closed::incrementAndGet);
    }

    private void awaitEvents(String... expected) {
        await("events").atMost(LONG).untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    @Test
    void startDeliversWhatIsStoredAndThenWhatIsWritten() throws InterruptedException {
        feed.write(List.of(Change.created(entry("x", "1"), true)));
        DefaultSubscription<ConfigMap> subscription = subscribe(true);
        awaitEvents("initial 1");
        feed.write(List.of());
        feed.write(List.of(Change.updated(entry("x", "1"), entry("x", "2")), Change.created(entry("y", "3"), false)));
        awaitEvents("initial 1", "2", "3");
        assertThat(store.list("a")).hasSize(2);
        assertThat(subscription.hasDeliveredInitial()).isFalse();
        feed.initialWritten(true);
        subscription.awaitInitial(LONG);
        assertThat(subscription.hasDeliveredInitial()).isTrue();
        release = new CountDownLatch(1); // or they could be delivered before the assertion
        DefaultSubscription<ConfigMap> late = subscribe(true);
        assertThat(late.hasDeliveredInitial()).as("it has to receive them").isFalse();
        release.countDown();
        late.awaitInitial(LONG);
        assertThat(late.hasDeliveredInitial()).isTrue();
    }

    @Test
    void initialWrittenWithoutBodiesEndsTheInitialStateOfMetadataOnly() {
        DefaultSubscription<ConfigMap> metadata = subscribe(false);
        DefaultSubscription<ConfigMap> whole = subscribe(true);
        feed.initialWritten(false);
        assertThat(metadata.hasDeliveredInitial()).isTrue();
        assertThat(whole.hasDeliveredInitial()).isFalse();
        assertThat(subscribe(false).hasDeliveredInitial()).as("added later").isTrue();
        feed.initialWritten(true);
        assertThat(whole.hasDeliveredInitial()).isTrue();
        feed.initialWritten(false);
        assertThat(subscribe(true).hasDeliveredInitial()).as("stays so").isTrue();
    }

    @Test
    void subscriptionOfWholeObjectsDoesNotSeeMetadata() {
        subscribe(true);
        feed.write(List.of(Change.created(bare("x", "1"), false), Change.created(entry("y", "2"), false)));
        awaitEvents("2");
    }

    @Test
    void lagIsThatOfTheSlowestSubscription() {
        assertThat(feed.lagSeconds()).isZero();
        assertThat(feed.undelivered()).isZero();
        release = new CountDownLatch(1);
        subscribe(true);
        subscribe(true);
        feed.write(List.of(Change.created(entry("x", "1"), false), Change.created(entry("y", "2"), false)));
        time.advance(Duration.ofSeconds(5));
        assertThat(feed.lagSeconds()).isEqualTo(5);
        assertThat(feed.undelivered()).isEqualTo(4);
    }

    private Runnable resync() {
        ArgumentCaptor<Runnable> task = ArgumentCaptor.forClass(Runnable.class);
        ArgumentCaptor<Long> delay = ArgumentCaptor.forClass(Long.class);
        verify(timer).scheduleWithFixedDelay(task.capture(), delay.capture(), anyLong(), eq(TimeUnit.NANOSECONDS));
        assertThat(Duration.ofNanos(delay.getValue())).isBetween(HOUR, HOUR.plusMinutes(6));
        return task.getValue();
    }

    @Test
    void resyncDeliversEverythingAgainUntilTheFeedStops() {
        feed.write(List.of(Change.created(entry("x", "1"), true)));
        subscribe(true);
        awaitEvents("initial 1");
        ScheduledFuture<?> scheduled = mock();
        doReturn(scheduled).when(timer).scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
        feed.startResync();
        Runnable resync = resync();
        try (CapturedLog log = CapturedLog.of(ChangeFeed.class.getName())) {
            resync.run();
            assertThat(log.lines(Level.ERROR)).isEmpty();
        }
        awaitEvents("initial 1", "resync 1");
        verify(scheduled, never()).cancel(false);
        await("nothing is being delivered").atMost(LONG).until(() -> feed.undelivered() == 0);
        release = new CountDownLatch(1); // what is offered remains undelivered
        feed.stop();
        verify(scheduled).cancel(false);
        resync.run();
        assertThat(feed.undelivered()).isZero();
    }

    @Test
    void resyncWhenItFailsIsLoggedAndRunsAgain() {
        ObjectStore broken = mock();
        when(broken.list("")).thenThrow(new IllegalStateException("broken")).thenReturn(List.of());
        feed = new ChangeFeed(broken, HOUR, timer);
        feed.startResync();
        Runnable resync = resync();
        try (CapturedLog log = CapturedLog.of(ChangeFeed.class.getName())) {
            resync.run();
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("A resync failed");
            resync.run();
            assertThat(log.lines(Level.ERROR)).hasSize(1);
        }
    }

    @Test
    void resyncIsScheduledOnlyIfItIsWantedAndPossible() {
        feed.stop();
        feed.startResync();
        feed = new ChangeFeed(store, Duration.ZERO, timer);
        feed.startResync();
        feed = new ChangeFeed(store, HOUR, timer);
        when(timer.isShutdown()).thenReturn(true);
        feed.startResync();
        verify(timer, never()).scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
    }

    @Test
    void startWhenTheFeedHasStoppedFailsAndLeavesNoGauge() {
        feed.stop();
        assertThatThrownBy(() -> subscribe(true)).hasMessage("The cache is closed");
        assertThat(gauges).hasValue(0);
    }

    @Test
    void closeEndsTheDelivery() {
        DefaultSubscription<ConfigMap> subscription = subscribe(true);
        assertThat(gauges).hasValue(1);
        assertThat(subscription.isAlive()).isTrue();
        subscription.close();
        subscription.close();
        assertThat(closed).hasValue(1);
        assertThat(gauges.get()).isNotPositive();
        feed.write(List.of(Change.created(entry("x", "1"), false)));
        assertThat(feed.undelivered()).isZero();
        assertThat(subscription.isAlive()).as("it was closed").isTrue();
        assertThatThrownBy(() -> subscription.awaitInitial(LONG)).hasMessage("Subscription 'test' is closed");
    }

    @Test
    void closeOfTheFeedEndsAllSubscriptions() {
        subscribe(true);
        subscribe(false);
        feed.close();
        assertThat(closed).hasValue(2);
    }

    @Test
    void awaitInitialWhenItTakesTooLongSaysWhatIsMissing() {
        notReady = "the kind is not served";
        DefaultSubscription<ConfigMap> subscription = subscribe(true);
        assertThatThrownBy(() -> subscription.awaitInitial(Duration.ZERO))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessage("Subscription 'test' did not receive all configmaps within PT0S: the kind is not served");
        notReady = "";
        assertThatThrownBy(() -> subscription.awaitInitial(Duration.ZERO))
                .hasMessage("Subscription 'test' did not receive all configmaps within PT0S: 0 are not delivered yet");
    }

    @Test
    void addIndexIfAbsentIndexesWhatIsStoredAndWhatIsWritten() {
        feed.write(List.of(Change.created(entry("x", "1"), true)));
        assertThat(feed.addIndexIfAbsent("app", HeaderIndexes.labelTerms("app")))
                .isTrue();
        assertThat(feed.addIndexIfAbsent("app", HeaderIndexes.labelTerms("app")))
                .isFalse();
        feed.write(List.of(Change.created(entry("y", "2"), false)));
        assertThat(store.find(List.of(new IndexTerm("app", "v")))).hasSize(2);
    }
}
