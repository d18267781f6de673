package io.github.reconciler4j.cache.internal.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Lookups of writes whose outcome is unknown, and what is written meanwhile. */
class PendingWriteLookupTests {

    private static final ObjectKey KEY = ObjectKey.of("a", "x");

    private final WatchProgress progress = new WatchProgress("", ObjectSelector.everything());
    private final Queue<PendingWrite> answers = new ArrayDeque<>();
    private Runnable meanwhile = () -> {};
    private final PendingWrites writes = PendingWrites.create(new ObjectStore(), this::look);

    private PendingWrite look(ObjectKey key) {
        meanwhile.run();
        meanwhile = () -> {};
        return answers.remove();
    }

    private static PendingWrite at(String version) {
        return PendingWrite.written(version, "uid", null);
    }

    @Test
    void getWhenTheServerWasAskedOnceKeepsItsAnswer() {
        writes.add(KEY, PendingWrite.unknown("", ""), progress);
        answers.add(at("20"));

        assertThat(writes.get(KEY)).isEqualTo(at("20"));
        assertThat(writes.get(KEY)).isEqualTo(at("20"));
    }

    @Test
    void getWhenObjectIsWrittenDuringALookupLooksUpAgain() {
        writes.add(KEY, PendingWrite.unknown("", ""), progress);
        meanwhile = () -> writes.add(KEY, at("24"), progress);
        answers.addAll(List.of(at("20"), at("25")));

        assertThat(writes.get(KEY)).as("by who asked before the write").isEqualTo(at("20"));
        assertThat(writes.get(KEY)).isEqualTo(at("25"));
        assertThat(answers).isEmpty();
    }

    @Test
    void getWhenWatchIsGoneWhileTheServerIsAskedKeepsALaterWrite() {
        writes.add(KEY, PendingWrite.unknown("", ""), progress);
        meanwhile = () -> {
            writes.forget(namespace -> true);
            writes.add(KEY, at("24"), progress);
        };
        answers.add(at("20"));

        writes.get(KEY);

        assertThat(writes.get(KEY)).isEqualTo(at("24"));
    }

    @Test
    void addUnwatchedWhenNothingIsStoredKeepsTheWriteOnlyIfTheNamespaceIsWatchedAgain() {
        writes.add(KEY, at("24"), progress);
        writes.addUnwatched(KEY, () -> true);
        assertThat(writes.peek(KEY)).isEqualTo(PendingWrite.unknown("", ""));

        writes.addUnwatched(KEY, () -> false);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void addWhenManyDeletionsAreInASelectionBoundsThemWithOneLookup() {
        AtomicInteger lookups = new AtomicInteger();
        PendingWrites many = PendingWrites.create(new ObjectStore(), key -> {
            lookups.incrementAndGet();
            return PendingWrite.written("5000", "", null);
        });
        WatchProgress watch = new WatchProgress("", ObjectSelector.everything().withLabels("app=v"));
        watch.position("4000");
        for (int i = 0; i <= 1001; i++) {
            many.add(ObjectKey.of("a", "n" + i), PendingWrite.deleted("3000", "uid" + i, false), watch);
        }
        assertThat(lookups).hasValue(1);
        many.passed(namespace -> true, "4999");
        assertThat(many.all()).as("the watch may still deliver the objects").hasSize(1002);
        watch.position("5000");
        many.passed(namespace -> true, "5000");
        assertThat(many.all()).hasSize(1); // the last one, after the lookup
    }

    @Test
    void getWhenAWriteGotNoAnswerAsksTheServerOnce() {
        writes.addUnanswered(KEY);
        answers.add(at("20"));

        assertThat(writes.isEmpty()).isFalse();
        assertThat(writes.get(KEY)).isEqualTo(at("20"));
        assertThat(writes.get(KEY)).isEqualTo(at("20"));
    }

    @Test
    void allWhenTheServerDoesNotAnswerForgetsEveryWriteWithoutAnAnswer() {
        AtomicInteger lookups = new AtomicInteger();
        PendingWrites away = PendingWrites.create(new ObjectStore(), key -> {
            lookups.incrementAndGet();
            throw new ApiException("away", ErrorDetails.none());
        });
        away.addUnanswered(KEY);
        away.addUnanswered(ObjectKey.of("a", "y"));

        assertThat(away.all()).isEmpty();
        assertThat(lookups).hasValue(1);
        assertThat(away.isEmpty()).isTrue();
    }

    @Test
    void getWhenAnotherWriteGetsNoAnswerMeanwhileAsksAgain() {
        writes.addUnanswered(KEY);
        meanwhile = () -> writes.addUnanswered(KEY);
        answers.addAll(List.of(at("20"), at("25")));

        assertThat(writes.get(KEY)).isEqualTo(at("20"));
        assertThat(writes.get(KEY)).isEqualTo(at("25"));
        assertThat(answers).isEmpty();
    }

    @Test
    void getWhenTheNamespaceLeavesMeanwhileKeepsNothing() {
        writes.addUnanswered(KEY);
        meanwhile = () -> writes.forget(namespace -> true);
        answers.add(at("20"));

        assertThat(writes.get(KEY)).isNull();
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void addUnansweredWhenNamesAreNeverReadDoesNotAccumulate() {
        for (int i = 0; i <= 1000; i++) {
            writes.addUnanswered(ObjectKey.of("a", "n" + i));
        }
        answers.add(at("20"));

        assertThat(writes.all()).hasSize(1);
    }

    @Test
    void allWhenAnotherReaderHasAskedMeanwhileDoesNotAskAgain() {
        List<ObjectKey> asked = new ArrayList<>();
        AtomicReference<PendingWrites> all = new AtomicReference<>();
        all.set(PendingWrites.create(new ObjectStore(), key -> {
            asked.add(key);
            if (asked.size() == 1) { // asks about this one as well, and about the others
                assertThat(all.get().all()).hasSize(3);
            }
            return at("20");
        }));
        for (String name : List.of("x", "y", "z")) {
            all.get().addUnanswered(ObjectKey.of("a", name));
        }

        assertThat(all.get().all()).hasSize(3);
        assertThat(asked).hasSize(4);
    }

    @Test
    void allWhenTheServerIsSlowSpendsFiveSecondsOnAllWritesWithoutAnAnswer() {
        ManualTimeSource time = new ManualTimeSource();
        List<Duration> timeouts = new ArrayList<>();
        PendingWrites slow = new PendingWrites(
                new ObjectStore(),
                (key, timeout) -> {
                    timeouts.add(timeout);
                    time.advance(Duration.ofSeconds(2));
                    return at("20");
                },
                time);
        for (int i = 0; i < 1000; i++) {
            slow.addUnanswered(ObjectKey.of("a", "n" + i));
        }

        assertThat(slow.all()).hasSize(3);
        assertThat(timeouts).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(1));
        assertThat(slow.all()).as("the others are forgotten").hasSize(3);
        assertThat(timeouts).hasSize(3);
    }
}
