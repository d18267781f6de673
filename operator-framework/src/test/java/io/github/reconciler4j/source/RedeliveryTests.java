package io.github.reconciler4j.source;

import static io.github.reconciler4j.fixtures.TestSnapshot.created;
import static io.github.reconciler4j.fixtures.TestSnapshot.deleted;
import static io.github.reconciler4j.fixtures.TestSnapshot.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.TestHeader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedeliveryTests {

    private static final TestHeader A = TestHeader.of("default", "a");
    private static final TestHeader B = TestHeader.of("default", "b");

    private final AtomicReference<Supplier<? extends Throwable>> failure =
            new AtomicReference<>(() -> new IllegalStateException("not now"));
    private final AtomicInteger attempts = new AtomicInteger();
    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private final Redelivery<String> redelivery =
            new Redelivery<>("test", this::handle, Duration.ofMillis(1), Duration.ofMillis(5));

    @AfterEach
    void close() {
        redelivery.close();
    }

    private void handle(ObjectEvent<String> event) {
        attempts.incrementAndGet();
        Supplier<? extends Throwable> thrown = failure.get();
        if (thrown != null) {
            throwUnchecked(thrown.get());
        }
        delivered.add(describe(event));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwUnchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static String describe(ObjectEvent<String> event) {
        String name = event.snapshot().key().name();
        String version = event.snapshot().header().resourceVersion();
        if (event instanceof Created<?>) {
            return name + " created " + version;
        }
        if (event instanceof Updated<String> update) {
            return name + " updated " + update.previous().header().resourceVersion() + " to " + version;
        }
        return name + (event instanceof Deleted<?> ? " deleted " : " other ") + version;
    }

    private static TestHeader version(TestHeader header, int version) {
        return header.withResourceVersion("" + version);
    }

    private static void eventually(String what, Callable<Boolean> condition) {
        await(what).atMost(Duration.ofSeconds(30)).until(condition);
    }

    private void attemptsOf(int count) {
        int wanted = attempts.get() + count;
        eventually(count + " more attempts", () -> attempts.get() >= wanted);
    }

    @Test
    void changeWhenTheHandlerFailsIsDeliveredAgainUntilItSucceeds() {
        redelivery.deliver(created(A));
        attemptsOf(30);
        assertThat(delivered).isEmpty();
        failure.set(null);
        eventually("delivered", () -> delivered.equals(List.of("a created 1")));
    }

    @Test
    void changeWhenTheHandlerThrowsAnErrorIsDeliveredAgain() {
        failure.set(() -> new NoClassDefFoundError("test"));
        redelivery.deliver(created(A));
        redelivery.deliver(created(B));
        attemptsOf(10);
        failure.set(null);
        eventually("both", () -> delivered.containsAll(List.of("a created 1", "b created 1")));
        assertThat(delivered).hasSize(2);
    }

    @Test
    void changesWhenTheyFollowOneThatFailedAreCoalescedWithIt() {
        redelivery.deliver(updated(version(A, 1), version(A, 2)));
        attemptsOf(1);
        redelivery.deliver(updated(version(A, 2), version(A, 3)));
        redelivery.deliver(created(B));
        redelivery.deliver(updated(version(A, 3), version(A, 4)));
        attemptsOf(3);
        failure.set(null);
        eventually("both", () -> delivered.size() >= 2 && redelivery.size() == 0);
        redelivery.deliver(updated(version(A, 4), version(A, 5)));
        assertThat(delivered).containsExactlyInAnyOrder("a updated 1 to 4", "b created 1", "a updated 4 to 5");
        assertThat(delivered).endsWith("a updated 4 to 5");
    }

    @Test
    void deletionWhenItFollowsAnUpdateThatFailedComesAfterIt() {
        redelivery.deliver(updated(version(A, 1), version(A, 2)));
        redelivery.deliver(deleted(version(A, 3)));
        redelivery.deliver(created(version(A, 4)));
        redelivery.deliver(updated(version(A, 4), version(A, 5)));
        attemptsOf(2);
        failure.set(null);
        eventually("all", () -> delivered.size() >= 3);
        assertThat(delivered).containsExactly("a updated 1 to 3", "a deleted 3", "a created 5");
    }

    @Test
    void creationWhenItFailedAndTheObjectIsDeletedIsNotDelivered() {
        redelivery.deliver(created(version(A, 1)));
        redelivery.deliver(deleted(version(A, 2)));
        attemptsOf(2);
        failure.set(null);
        eventually("deletion", () -> delivered.equals(List.of("a deleted 2")));
    }

    @Test
    void logWhenManyObjectsFailHasOneLineWithAStackTrace() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.source")) {
            for (int i = 0; i < 100; i++) {
                redelivery.deliver(created(TestHeader.of("default", "object-" + i)));
            }
            attemptsOf(300);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith("ERROR ")
                    .endsWith("+stack");
        }
    }

    @Test
    void deletionsWhenTooManyFailedDropsTheOldestAndSaysSo() {
        int kept = 10_000;
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.source")) {
            redelivery.deliver(created(A));
            for (int i = 0; i < kept; i++) {
                redelivery.deliver(deleted(TestHeader.of("default", "object-" + i)));
            }
            assertThat(redelivery.size()).isEqualTo(kept + 1);
            assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("dropped"));
            redelivery.deliver(deleted(B));
            redelivery.deliver(deleted(version(A, 2)));
            assertThat(redelivery.size()).isEqualTo(kept);
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("dropped"))
                    .hasSize(1);
        }
        failure.set(null);
        eventually("the rest", () -> delivered.size() == kept && redelivery.size() == 0);
        assertThat(delivered)
                .contains("b deleted 1", "object-1 deleted 1")
                .as("of the object whose first failure was the oldest")
                .doesNotContain("object-0 deleted 1", "a deleted 2");
    }
}
