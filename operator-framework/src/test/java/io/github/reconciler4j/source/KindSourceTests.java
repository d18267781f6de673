package io.github.reconciler4j.source;

import static io.github.reconciler4j.fixtures.TestSnapshot.created;
import static io.github.reconciler4j.fixtures.TestSnapshot.deleted;
import static io.github.reconciler4j.fixtures.TestSnapshot.generic;
import static io.github.reconciler4j.fixtures.TestSnapshot.initial;
import static io.github.reconciler4j.fixtures.TestSnapshot.resync;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.fixtures.RecordingSink.Added;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class KindSourceTests {

    private static final KindInfo POD = new KindInfo(KindName.of("v1", "Pod"), "pods", true);
    private static final TestHeader A = TestHeader.of("default", "a");
    private static final Request REQUEST = new Request("default", "a");

    private final TestInformer<String> informer = new TestInformer<>(POD);
    private final RecordingSink<Request> target = new RecordingSink<>();

    private static final EventPredicate<Object> ALL = EventPredicates.allOf();

    private RequestSource.Running start(
            EventHandler<? super String, Request> handler, EventPredicate<Object> predicate) {
        return new KindSource<>(informer, handler, predicate).start(target);
    }

    @Test
    void eventsHaveTheirTriggerAndPriority() {
        start(EventHandlers.forObject(), ALL);
        List.of(
                        initial(A),
                        created(A),
                        updated(A, A.withResourceVersion("2")),
                        updated(A, A),
                        resync(A),
                        deleted(A),
                        generic(A))
                .forEach(informer::deliver);
        assertThat(target.added())
                .extracting(added -> added.trigger().change(), Added::priority)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Change.INITIAL, -100),
                        org.assertj.core.groups.Tuple.tuple(Change.CREATED, 0),
                        org.assertj.core.groups.Tuple.tuple(Change.UPDATED, 0),
                        org.assertj.core.groups.Tuple.tuple(Change.UPDATED, -100),
                        org.assertj.core.groups.Tuple.tuple(Change.RESYNC, -100),
                        org.assertj.core.groups.Tuple.tuple(Change.DELETED, 0),
                        org.assertj.core.groups.Tuple.tuple(Change.EXTERNAL, 0));
        assertThat(target.added().get(1))
                .isEqualTo(new Added<>(REQUEST, Duration.ZERO, 0, Trigger.of("Pod.v1", A.key(), Change.CREATED)));
    }

    @Test
    void handlerWhenItSetsAPriorityKeepsIt() {
        start((event, sink) -> sink.add(REQUEST, 5), ALL);
        informer.deliver(initial(A));
        assertThat(target.added()).singleElement().extracting(Added::priority).isEqualTo(5);
    }

    @Test
    void handlerWhenItSetsADelayKeepsThePriorityOfTheEvent() {
        start((event, sink) -> sink.addAfter(REQUEST, Duration.ofMinutes(1)), ALL);
        informer.deliver(resync(A));
        assertThat(target.added()).singleElement().satisfies(added -> {
            assertThat(added.delay()).isEqualTo(Duration.ofMinutes(1));
            assertThat(added.priority()).isEqualTo(-100);
        });
    }

    @Test
    void predicateWhenItRejectsAnEventDoesNotCallTheHandler() {
        List<ObjectEvent<?>> handled = new CopyOnWriteArrayList<>();
        start((event, sink) -> handled.add(event), EventPredicates.generationChanged());
        informer.deliver(updated(A, A));
        assertThat(handled).isEmpty();
        informer.deliver(updated(A, A.withGeneration(2)));
        assertThat(handled).hasSize(1);
    }

    @Test
    void awaitSyncWaitsForTheInitialList() throws Exception {
        RequestSource.Running running = start(EventHandlers.forObject(), ALL);
        assertThatExceptionOfType(CacheSyncTimeoutException.class)
                .isThrownBy(() -> running.awaitSync(Duration.ofMillis(10)))
                .withMessageContaining("pods");
        informer.sync();
        running.awaitSync(Duration.ofSeconds(30));
    }

    @Test
    void closeUnsubscribes() {
        RequestSource.Running running = start(EventHandlers.forObject(), ALL);
        assertThat(informer.listenerNames()).containsExactly("recording");
        running.close();
        running.close();
        assertThat(informer.listeners()).isZero();
    }

    @Test
    void startWhenCalledTwiceMakesIndependentStreams() {
        RecordingSink<Request> other = new RecordingSink<>();
        KindSource<String, Request> source = new KindSource<>(informer, EventHandlers.forObject(), ALL);
        RequestSource.Running first = source.start(target);
        source.start(other);
        informer.deliver(created(A));
        first.close();
        informer.deliver(created(A));
        assertThat(target.requests()).hasSize(1);
        assertThat(other.requests()).hasSize(2);
    }

    @Test
    void nameIsTheKind() {
        KindSource<String, Request> source = new KindSource<>(informer, EventHandlers.forObject(), ALL);
        assertThat(source.name()).isEqualTo("Pod.v1");
        assertThat(source).hasToString("KindSource[Pod.v1]");
    }

    @Test
    void createWhenSomethingIsMissingFails() {
        assertThatNullPointerException()
                .isThrownBy(() -> new KindSource<String, Request>(informer, null, ALL))
                .withMessageContaining("'handler'");
        assertThatNullPointerException()
                .isThrownBy(() -> new KindSource<String, Request>(null, EventHandlers.forObject(), ALL))
                .withMessageContaining("'informer'");
    }
}
