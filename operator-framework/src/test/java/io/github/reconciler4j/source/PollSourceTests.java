package io.github.reconciler4j.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingSink;
import io.github.reconciler4j.fixtures.RecordingSink.Added;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.PollSource.Polled;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PollSourceTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RecordingSink<String> target = new RecordingSink<>();
    private final ManualTimeSource time = new ManualTimeSource();
    private final Map<String, Integer> outside = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private RequestSource.Running running = () -> {};

    @AfterEach
    void closeSource() {
        running.close();
    }

    private void pollAll() {
        running = PollSource.ofAll(
                        "outside",
                        MINUTE,
                        () -> {
                            Map<String, Integer> answer = new HashMap<>(outside);
                            if (calls.incrementAndGet() == 2 && outside.containsKey("broken")) {
                                throw new IllegalStateException("no answer");
                            }
                            return answer;
                        },
                        time)
                .start(target);
        awaitCalls(1);
    }

    private void awaitCalls(int count) {
        await("call " + count).atMost(Duration.ofSeconds(30)).until(() -> calls.get() >= count);
    }

    private void nextCall(Duration after) {
        int next = calls.get() + 1;
        await("the next call").atMost(Duration.ofSeconds(30)).until(() -> {
            time.advance(after);
            return calls.get() >= next;
        });
    }

    private void awaitRequests(String... expected) {
        await("requests")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(target.requests()).containsExactlyInAnyOrder(expected));
    }

    @Test
    void ofAllEnqueuesNewChangedAndRemovedRequests() {
        outside.putAll(Map.of("a", 1, "b", 1, "c", 1));
        pollAll();
        awaitRequests("a", "b", "c");
        assertThat(target.added()).extracting(Added::priority).containsOnly(-100);
        assertThat(target.added().get(0).trigger()).isEqualTo(Trigger.external("outside"));
        target.added().clear();

        outside.put("b", 2);
        outside.remove("c");
        outside.put("d", 1);
        nextCall(MINUTE);
        awaitRequests("b", "c", "d");
        assertThat(target.added()).extracting(Added::priority).containsOnly(0);
    }

    @Test
    void ofAllWhenACallFailsRetriesAndKeepsTheLastStates() {
        outside.put("broken", 1);
        pollAll();
        awaitRequests("broken");
        nextCall(MINUTE);
        nextCall(Duration.ofSeconds(1));
        outside.put("broken", 2);
        nextCall(MINUTE);
        awaitRequests("broken", "broken");
    }

    @Test
    void logWhenCallsFailNowAndThenHasOneLineWithAStackTrace() {
        try (CapturedLog log = CapturedLog.of(PollSource.class.getName())) {
            running = PollSource.<String>ofAll(
                            "flapping",
                            Duration.ofSeconds(2),
                            () -> {
                                if (calls.incrementAndGet() % 2 == 1) {
                                    throw new IllegalStateException("no answer");
                                }
                                return Map.of();
                            },
                            time)
                    .start(target);
            awaitCalls(1);
            for (int i = 0; i < 15; i++) {
                nextCall(Duration.ofMillis(500));
            }
            assertThat(log.lines(Level.WARN)).hasSize(1).first().asString().endsWith("+stack");
            time.advance(MINUTE);
            nextCall(Duration.ofSeconds(1));
            nextCall(Duration.ofSeconds(1));
            await("the next line")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> log.lines(Level.WARN).size() == 2);
            assertThat(log.lines(Level.WARN).get(1))
                    .contains("no answer", "more since")
                    .doesNotEndWith("+stack");
        }
    }

    @Test
    void logWhenTheApiServerIsTheCauseHasNoStackTrace() {
        try (CapturedLog log = CapturedLog.of(PollSource.class.getName())) {
            running = PollSource.<String>ofAll(
                            "unserved",
                            MINUTE,
                            () -> {
                                throw new ConnectionException(
                                        "GET https://server: refused", ConnectionException.Problem.REFUSED, null);
                            },
                            time)
                    .start(target);
            await("the line")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(log.lines(Level.WARN))
                            .containsExactly("WARN Source unserved failed and retries until it succeeds: "
                                    + "GET https://server: refused"));
        }
    }

    @Test
    void perRequestAsksForEachAtItsOwnInterval() {
        Map<String, AtomicInteger> asked = Map.of("fast", new AtomicInteger(), "slow", new AtomicInteger());
        running = PollSource.perRequest(
                        "each",
                        Duration.ofDays(1),
                        () -> Set.of("fast", "slow"),
                        request -> new Polled(
                                asked.get(request).incrementAndGet() / 2,
                                request.equals("fast") ? MINUTE : Duration.ofHours(1)),
                        time)
                .start(target);
        awaitRequests("fast", "slow");
        for (int round = 2; round <= 5; round++) {
            int expected = round;
            await("fast is asked once a minute").atMost(Duration.ofSeconds(30)).until(() -> {
                if (asked.get("fast").get() < expected) {
                    time.advance(MINUTE);
                }
                return asked.get("fast").get() >= expected;
            });
        }
        assertThat(asked.get("slow")).hasValue(1);
        assertThat(target.requests()).filteredOn("fast"::equals).hasSizeBetween(3, 4);
    }

    @Test
    void perRequestFollowsWhichRequestsThereAre() {
        outside.put("a", 1);
        Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
        running = PollSource.perRequest(
                        "each",
                        MINUTE,
                        () -> {
                            calls.incrementAndGet();
                            return List.copyOf(outside.keySet());
                        },
                        request -> {
                            asked.computeIfAbsent(request, unused -> new AtomicInteger())
                                    .incrementAndGet();
                            return new Polled("same", MINUTE);
                        },
                        time)
                .start(target);
        awaitRequests("a");
        outside.remove("a");
        outside.put("b", 1);
        nextCall(MINUTE);
        awaitRequests("a", "b");
        int before = asked.get("a").get();
        nextCall(MINUTE);
        nextCall(MINUTE);
        assertThat(asked.get("a")).hasValue(before);
    }

    @Test
    void closeEndsACallUnderWay() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        running = PollSource.<String>ofAll("hanging", MINUTE, () -> {
                    asking.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return Map.of();
                })
                .start(target);
        asking.await();
        running.close();
        interrupted.await();
        await("the thread ends")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("source-recording/hanging")));
    }

    @Test
    void wrongValuesAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PollSource.ofAll("x", Duration.ZERO, Map::of))
                .withMessage("'interval' must be positive, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PollSource.ofAll(" ", MINUTE, Map::of))
                .withMessage("'name' must not be blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Polled("x", Duration.ZERO))
                .withMessage("'next' must be positive, was PT0S");
    }
}
