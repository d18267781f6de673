package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class OptionalInformerTests {

    private static final KindName GADGET = KindName.of("optional.test.reconciler4j.io/v1", "Gadget");
    private static final Kind<GenericKubernetesResource> KIND = Kind.of(GADGET);
    private static final String[] THREADS = {"reflector-gadgets.optional", "subscription-gadget"};

    private final ServedCache served = new ServedCache();
    private final CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache");
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Cache cache;

    OptionalInformerTests() {
        served.scheme.register(new KindInfo(GADGET, "gadgets", true));
        cache = served.open(CacheOptions.defaults());
    }

    @AfterEach
    void close() {
        served.close();
        log.close();
        until("no thread is left", () -> LiveThreads.named(THREADS).isEmpty());
    }

    /** A definition that is being deleted has to go before it is created again. */
    private void define() {
        until("the definition is created", () -> {
            try {
                served.client.create(Serialization.unmarshal(
                        Definitions.of("optional.test.reconciler4j.io", "Gadget"), CustomResourceDefinition.class));
                return true;
            } catch (AlreadyExistsException e) {
                return false;
            }
        });
    }

    private void undefine() {
        served.client.delete(
                Kind.of(CustomResourceDefinition.class),
                ObjectKey.ofName("gadgets.optional.test.reconciler4j.io"),
                DeletionOptions.defaults());
    }

    private void gadget(String name) {
        GenericKubernetesResource gadget = new GenericKubernetesResource();
        gadget.setApiVersion(GADGET.apiVersion());
        gadget.setKind(GADGET.kind());
        gadget.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        served.client.create(gadget);
    }

    private List<String> names() {
        return cache.list(KIND, Selection.all()).stream()
                .map(gadget -> gadget.getMetadata().getName())
                .toList();
    }

    private class Listener implements ObjectListener<GenericKubernetesResource> {

        @Override
        public void onEvent(ObjectEvent<GenericKubernetesResource> event) {
            events.add(event.getClass().getSimpleName() + " "
                    + event.snapshot().key().name());
        }

        @Override
        public void onServedChange(boolean nowServed) {
            events.add(nowServed ? "served" : "absent");
        }
    }

    private Subscription subscribe() {
        return cache.optionalInformer(KIND).subscribe("gadget", new Listener());
    }

    private List<String> infos() {
        return log.lines(Level.INFO).stream()
                .filter(line -> line.contains("gadgets"))
                .toList();
    }

    @Test
    void kindThatIsNotServedHasNoWatchAndReadsReturnNothing() throws InterruptedException {
        Informer<GenericKubernetesResource> informer = cache.optionalInformer(KIND);
        Subscription subscription = subscribe();
        cache.start();

        subscription.awaitInitial(LONG);
        informer.awaitSync(LONG);

        assertThat(names()).isEmpty();
        assertThat(cache.get(KIND, ObjectKey.of("default", "a"))).isEmpty();
        assertThat(informer.list("default")).isEmpty();
        assertThat(informer.notReadyReason()).isEmpty();
        assertThat(informer.hasSynced() && informer.hasParts()).isTrue();
        assertThat(subscription.hasDeliveredInitial() && subscription.isAlive()).isTrue();
        assertThat(cache.awaitSettled(LONG)).isEmpty();
        assertThat(cache.kinds()).isEmpty();
        assertThat(LiveThreads.named(THREADS)).isEmpty();
        assertThat(infos())
                .containsExactly("INFO The API server does not serve gadgets.optional.test.reconciler4j.io, which is"
                        + " optional; it is watched as soon as it is served");
    }

    @Test
    void kindThatAppearsAndGoesIsFollowed() {
        Subscription subscription = subscribe();
        cache.start();
        until("it is known", subscription::hasDeliveredInitial);
        assertThat(names()).isEmpty();

        define();
        gadget("a");
        gadget("b");
        until("both are delivered", () -> events.containsAll(List.of("served", "Created a", "Created b")));
        assertThat(names()).containsExactly("a", "b");

        undefine();
        until("the kind is let go", () -> events.contains("absent"));
        assertThat(events).contains("Deleted a", "Deleted b").endsWith("absent");
        assertThat(names()).isEmpty();
        assertThat(cache.kinds()).isEmpty();
        until("no thread is left", () -> LiveThreads.named(THREADS).isEmpty());
        assertThat(served.server.watches(RequestMatch.watches().kind("gadgets")))
                .isZero();

        events.clear();
        define();
        gadget("c");
        until("it is followed again", () -> events.contains("Created c"));
        assertThat(names()).containsExactly("c");
        assertThat(infos()).hasSize(4).allMatch(line -> line.startsWith("INFO"));
    }

    @Test
    void kindThatIsServedIsWaitedForAndNotReported() throws InterruptedException {
        define();
        gadget("a");
        Subscription subscription = subscribe();
        cache.start();
        subscription.awaitInitial(LONG);
        assertThat(events).containsExactly("Created a");
        assertThat(names()).containsExactly("a");
        assertThat(infos()).isEmpty();
    }

    @Test
    void subscriptionWhenTheServerIsAwayWaitsAndSaysWhy() {
        served.server.stop();
        Subscription subscription = subscribe();
        cache.start();
        assertThatThrownBy(() -> subscription.awaitInitial(Duration.ofMillis(300)))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("It is not known after PT0.3S whether the API server serves gadgets.optional");
        served.server.resume();
        until("it is known", subscription::hasDeliveredInitial);
    }

    @Test
    void objectsThatVanishWithTheirDefinitionWhileTheServerIsAwayAreDelivered() {
        define();
        gadget("a");
        subscribe();
        cache.start();
        until("it is delivered", () -> events.contains("Created a"));

        served.server.restartEmpty();

        until("the kind is let go", () -> events.contains("absent"));
        assertThat(events).containsExactly("Created a", "Deleted a", "absent");
    }

    @Test
    void subscriptionThatIsClosedReceivesNothing() {
        Subscription subscription = subscribe();
        Subscription other = cache.optionalInformer(KIND.metadata()).subscribe("gadget-headers", event -> {});
        cache.start();
        until("it is known", other::hasDeliveredInitial);
        subscription.close();
        define();
        until(
                "the other one follows",
                () -> LiveThreads.named("subscription-gadget-headers").size() == 1);
        assertThat(LiveThreads.named("subscription-gadget")).containsExactly("subscription-gadget-headers");
        assertThat(events).isEmpty();
        other.close();
        until("no thread is left", () -> LiveThreads.named(THREADS).isEmpty());
        assertThatThrownBy(() -> subscription.awaitInitial(LONG)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void subscriptionOfAnotherUserKeepsTheKindAndItsReasons() {
        Subscription waiting = cache.informer(KIND).subscribe("gadget-required", new Listener());
        Subscription optional = cache.optionalInformer(KIND.metadata()).subscribe("gadget", event -> {});
        cache.start();
        until("the optional one does not wait", optional::hasDeliveredInitial);
        assertThat(waiting.hasDeliveredInitial()).isFalse();
        until(
                "the other one says why",
                () -> !cache.informer(KIND).notReadyReason().isEmpty());
        assertThat(cache.optionalInformer(KIND).notReadyReason()).isEmpty();
        assertThat(names()).isEmpty();

        define();
        gadget("a");
        until(
                "both follow",
                () -> waiting.hasDeliveredInitial()
                        && LiveThreads.named("subscription-gadget").size() == 2);
        until("it is delivered", () -> events.contains("Created a"));
        undefine();
        until(
                "the optional one is let go",
                () -> LiveThreads.named("subscription-gadget").equals(List.of("subscription-gadget-required")));
        define();
        gadget("b");
        until("it is delivered", () -> events.contains("Created b"));
    }

    @Test
    void listenerThatFailsDoesNotKeepOthersFromBeingNotified() {
        cache.optionalInformer(KIND).subscribe("gadget-broken", new ObjectListener<>() {
            @Override
            public void onEvent(ObjectEvent<GenericKubernetesResource> event) {}

            @Override
            public void onServedChange(boolean nowServed) {
                throw new AssertionError("thrown by the test");
            }
        });
        Subscription subscription = subscribe();
        cache.start();
        until("it is known", subscription::hasDeliveredInitial);
        define();
        until("the other one is notified", () -> events.contains("served"));
        undefine();
        until("the other one is notified again", () -> events.contains("absent"));
        assertThat(log.lines(Level.ERROR)).hasSize(1).allMatch(line -> line.contains("'gadget-broken'"));
    }

    @Test
    void listenerThatFailsIsNotifiedAgain() {
        List<Boolean> notices = new CopyOnWriteArrayList<>();
        AtomicInteger failures = new AtomicInteger(3);
        Subscription subscription = cache.optionalInformer(KIND).subscribe("gadget", new Listener() {
            @Override
            public void onServedChange(boolean nowServed) {
                notices.add(nowServed);
                if (failures.getAndDecrement() > 0) {
                    throw new IllegalStateException("thrown by the test");
                }
                super.onServedChange(nowServed);
            }
        });
        cache.start();
        until("it is known", subscription::hasDeliveredInitial);
        define();
        until("it is notified", () -> events.contains("served"));
        assertThat(notices).containsExactly(true, true, true, true);
        undefine();
        until("it is notified of the end", () -> events.contains("absent"));
        assertThat(notices).endsWith(true, false);
    }

    /** Resyncs, and the presence of other kinds, depend on the timer of the cache. */
    @Test
    void listenerThatBlocksKeepsTheTimerOfTheCacheFree() throws InterruptedException {
        KindName other = KindName.of("optional.test.reconciler4j.io/v1", "Gizmo");
        served.scheme.register(new KindInfo(other, "gizmos", true));
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        cache.optionalInformer(KIND).subscribe("gadget", new ObjectListener<>() {
            @Override
            public void onEvent(ObjectEvent<GenericKubernetesResource> event) {}

            @Override
            public void onServedChange(boolean nowServed) {
                called.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        Subscription waiting = cache.optionalInformer(Kind.of(other)).subscribe("gadget-other", new Listener());
        cache.start();
        until("it is known", waiting::hasDeliveredInitial);
        define();
        assertThat(called.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        served.client.create(Serialization.unmarshal(
                Definitions.of("optional.test.reconciler4j.io", "Gizmo"), CustomResourceDefinition.class));
        until("the other kind is followed", () -> events.contains("served"));
        release.countDown();
    }

    @Test
    void servesWhenAWatchKnowsSendsNoRequest() {
        try (ApiConnection own = ApiConnection.open(served.server.clientConfig())) {
            Client client = Client.create(own, served.scheme, cache, ClientOptions.defaults());
            Subscription subscription = subscribe();
            cache.start();
            until("it is known", subscription::hasDeliveredInitial);
            assertThat(client.serves(KIND)).isFalse();
            define();
            until("it appears", () -> client.serves(KIND));
            undefine();
            until("it goes", () -> !client.serves(KIND));
            assertThat(own.answers()).isZero();
        }
    }

    @Test
    void servesWhenARequiredWatchKnowsNoticesThatTheDefinitionGoes() {
        try (ApiConnection own = ApiConnection.open(served.server.clientConfig())) {
            Client client = Client.create(own, served.scheme, cache, ClientOptions.defaults());
            define();
            Subscription subscription = cache.informer(KIND).subscribe("gadget", new Listener());
            cache.start();
            until("it is synced", subscription::hasDeliveredInitial);
            assertThat(client.serves(KIND)).isTrue();
            undefine();
            until("it goes", () -> !client.serves(KIND));
            define();
            until("it appears", () -> client.serves(KIND));
            assertThat(own.answers()).isZero();
        }
    }
}
