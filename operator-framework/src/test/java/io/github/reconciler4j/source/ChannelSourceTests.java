package io.github.reconciler4j.source;

import static io.github.reconciler4j.fixtures.TestSnapshot.generic;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.RecordingTarget;
import io.github.reconciler4j.fixtures.RecordingTarget.Added;
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

    private final RecordingTarget<String> target = new RecordingTarget<>();
    private final ChannelSource<String, String> channel = ChannelSource.ofRequests("outside");

    @Test
    void sendWhenStartedTellsEveryTargetAtOnce() {
        RecordingTarget<String> other = new RecordingTarget<>();
        channel.start(target);
        channel.start(other);
        assertThat(channel.send("a")).isTrue();
        assertThat(target.added())
                .containsExactly(new Added<>("a", target.added().get(0).delay(), 0, Trigger.external("outside")));
        assertThat(target.added().get(0).delay()).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(other.requests()).containsExactly("a");
    }

    @Test
    void sendWhenNotStartedIsKeptForTheFirstTarget() {
        RecordingTarget<String> second = new RecordingTarget<>();
        channel.send("a");
        channel.send("b");
        channel.send("a");
        channel.start(target);
        channel.start(second);
        assertThat(target.requests()).containsExactly("a", "b");
        assertThat(target.added().get(0).trigger().times()).isEqualTo(2);
        assertThat(second.requests()).isEmpty();
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
        RecordingTarget<String> next = new RecordingTarget<>();
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
    void mappingQueuesWhatTheFunctionNames() {
        ChannelSource<Integer, String> mapped =
                ChannelSource.mapping("numbers", number -> number == 0 ? null : List.of("x" + number, "y" + number));
        mapped.start(target);
        mapped.send(1);
        mapped.send(0);
        assertThat(target.requests()).containsExactly("x1", "y1");
    }

    @Test
    void mappingWhenTheFunctionFailsTellsTheSender() {
        ChannelSource<Integer, String> mapped = ChannelSource.mapping("numbers", number -> {
            throw new IllegalStateException("no number " + number);
        });
        assertThatIllegalStateException().isThrownBy(() -> mapped.send(1)).withMessage("no number 1");
    }

    @Test
    void handlingPassesPredicatesAndHandler() {
        RecordingTarget<Request> requests = new RecordingTarget<>();
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
    void delayWhenKeptGoesOnRunning() {
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
