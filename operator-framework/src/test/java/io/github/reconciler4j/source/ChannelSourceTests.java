package io.github.reconciler4j.source;

import static io.github.reconciler4j.fixtures.TestSnapshot.generic;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.fixtures.RecordingSink.Added;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelSourceTests {

    private final RecordingSink<String> target = new RecordingSink<>();
    private final ChannelSource<String, String> channel = ChannelSource.ofRequests("outside");

    @Test
    void sendWhenStartedEnqueuesForEveryController() {
        RecordingSink<String> other = new RecordingSink<>();
        channel.start(target);
        channel.start(other);
        assertThat(channel.send("a")).isTrue();
        assertThat(target.added())
                .containsExactly(new Added<>("a", target.added().get(0).delay(), 0, Trigger.external("outside")));
        assertThat(target.added().get(0).delay()).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(other.requests()).containsExactly("a");
    }

    @Test
    void sendWhenNotStartedIsKeptForEachController() {
        RecordingSink<String> one = new RecordingSink<>("one");
        RecordingSink<String> other = new RecordingSink<>("other");
        channel.send("a");
        channel.attach("one");
        channel.send("b");
        channel.attach("other");
        channel.send("a");
        channel.start(one);
        channel.send("c");
        channel.start(other);
        assertThat(one.requests()).containsExactly("a", "b", "c");
        assertThat(one.added().get(0).trigger().times()).isEqualTo(2);
        assertThat(other.requests()).containsExactly("a", "b", "c");
    }

    @Test
    void sendWhenAControllerWasDetachedIsNotKeptForIt() {
        channel.attach("one");
        channel.start(target);
        channel.send("a");
        channel.detach("one");
        RecordingSink<String> one = new RecordingSink<>("one");
        channel.start(one);
        assertThat(one.requests()).isEmpty();
        assertThat(target.requests()).containsExactly("a");
    }

    @Test
    void sendWhenAnotherOfTheNameWasDetachedStillArrives() {
        channel.attach("recording");
        channel.start(target);
        channel.detach("recording");
        channel.send("a");
        assertThat(target.requests()).containsExactly("a");
    }

    @Test
    void sendWhenStoppedIsKeptForTheControllerAlone() {
        RecordingSink<String> other = new RecordingSink<>("other");
        channel.start(other);
        RequestSource.Running running = channel.start(target);
        running.close();
        channel.send("a");
        assertThat(other.requests()).containsExactly("a");
        assertThat(target.requests()).isEmpty();
        channel.start(target);
        assertThat(target.requests()).containsExactly("a");
    }

    @Test
    void sendWhenNoMoreCanBeKeptIsRefused() {
        for (int i = 0; i < ChannelSource.DEFAULT_CAPACITY; i++) {
            assertThat(channel.send("request-" + i)).isTrue();
        }
        assertThat(channel.send("one too many")).isFalse();
        assertThat(channel.send("request-0")).isTrue();
        channel.start(target);
        assertThat(target.requests()).hasSize(ChannelSource.DEFAULT_CAPACITY).doesNotContain("one too many");
        assertThat(channel.send("one too many")).isTrue();
    }

    @Test
    void sendWhenStoppedIsKeptForTheNextStart() {
        channel.start(target).close();
        channel.send("a");
        assertThat(target.requests()).isEmpty();
        RecordingSink<String> next = new RecordingSink<>();
        channel.start(next);
        assertThat(next.requests()).containsExactly("a");
    }

    @Test
    void sendWhenClosedIsRefused() {
        channel.start(target);
        channel.close();
        assertThat(channel.send("a")).isFalse();
        assertThat(target.requests()).isEmpty();
    }

    @Test
    void mappingEnqueuesTheRequestsOfTheFunction() {
        ChannelSource<Integer, String> mapped =
                ChannelSource.mapping("numbers", number -> number == 0 ? null : List.of("x" + number, "y" + number));
        mapped.start(target);
        mapped.send(1);
        mapped.send(0);
        assertThat(target.requests()).containsExactly("x1", "y1");
    }

    @Test
    void mappingWhenTheFunctionFailsThrowsToTheSender() {
        ChannelSource<Integer, String> mapped = ChannelSource.mapping("numbers", number -> {
            throw new IllegalStateException("no number " + number);
        });
        assertThatIllegalStateException().isThrownBy(() -> mapped.send(1)).withMessage("no number 1");
    }

    @Test
    void handlingPassesPredicatesAndHandler() {
        RecordingSink<Request> requests = new RecordingSink<>();
        TestHeader a = TestHeader.of("default", "a");
        ChannelSource<ObjectEvent<String>, Request> objects =
                ChannelSource.handling("objects", EventHandlers.forObject(), EventPredicates.generationChanged());
        objects.start(requests);
        objects.send(updated(a, a));
        assertThat(requests.added()).isEmpty();
        objects.send(generic(a));
        assertThat(requests.added()).singleElement().satisfies(added -> {
            assertThat(added.request()).isEqualTo(new Request("default", "a"));
            assertThat(added.trigger()).isEqualTo(Trigger.of("objects", a.key(), Change.EXTERNAL));
        });
    }

    @Test
    void delayWhenKeptContinuesToRun() {
        ChannelSource<ObjectEvent<String>, String> delayed =
                ChannelSource.handling("delayed", (event, sink) -> sink.addAfter("a", Duration.ofHours(1), 3));
        delayed.send(generic(TestHeader.of("", "x")));
        delayed.start(target);
        assertThat(target.added()).singleElement().satisfies(added -> {
            assertThat(added.delay()).isBetween(Duration.ofMinutes(50), Duration.ofMinutes(60));
            assertThat(added.priority()).isEqualTo(3);
        });
    }

    @Test
    void createWhenNameIsBlankFails() {
        assertThatIllegalArgumentException().isThrownBy(() -> ChannelSource.ofRequests(" "));
    }
}
