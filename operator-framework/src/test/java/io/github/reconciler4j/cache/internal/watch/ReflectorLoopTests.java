package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.error;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A reflector with a store that only notes what it is given. */
class ReflectorLoopTests extends ReflectorLoopFixture {

    @Test
    void restartsAreCountedByTheirReason() {
        options = options.withIdleTimeout(Duration.ofMillis(100));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"))).whole(bookmark(11, false)); // ended
        server.whole(error(410, "Expired")).whole(list(20, "")); // gone
        server.open().send(bookmark(21, false)).cut(); // failed
        server.refuse(403, "Forbidden");
        server.open().send(event("ADDED", configMap("a", "y", 2, 30, "v"))); // and nothing more
        server.open();
        start(true);

        await("idle").atMost(LONG).until(() -> restarts("idle") >= 1); // the last watch is idle too
        for (String reason : List.of("ended", "gone", "failed", "refused")) {
            assertThat(restarts(reason)).as(reason).isEqualTo(1);
        }
        awaitLines("list of 1 at 10", "bookmark at 11", "list of 0 at 20", "bookmark at 21", "ADDED y at 30");
        assertThat(version(7)).isEqualTo("30");
        assertThat(count("lists")).isEqualTo(2);
        assertThat(count("listed_objects")).isEqualTo(1);
        await("watches").atMost(LONG).until(() -> count("watches") == 5);
    }

    @Test
    void watchIsRequestedForItsLifetimeInWholeSeconds() {
        options = options.withLifetime(Duration.ofMinutes(5), Duration.ofMinutes(5));
        server.whole(list(10, "")).open();
        start(true);
        assertThat(request(1).query().get("timeoutSeconds")).containsExactly("300");
    }

    @Test
    void watchWhenItsLifetimeIsBelowASecondIsRequestedForOne() {
        options = options.withLifetime(Duration.ofMillis(10), Duration.ofMillis(20));
        server.whole(list(10, "")).open();
        start(true);
        assertThat(request(1).query().get("timeoutSeconds")).containsExactly("1");
    }

    @Test
    void listIsTheNewestOnlyIfThatIsNecessary() {
        newest = true;
        server.whole(list(10, ""))
                .whole(error(410, "Expired"))
                .whole(list(20, ""))
                .open();
        start(true);
        assertThat(request(0).query()).doesNotContainKey("resourceVersion");
        assertThat(version(2)).as("not older than what was seen").isEqualTo("10");
    }

    @Test
    void startWhenTheKindIsMissingAsksAgainWhetherItIsServed() {
        server.whole(list(10, "")).refuse(404, "NotFound").whole(list(20, "")).open();
        start(true);
        awaitLines("list of 0 at 10", "list of 0 at 20");
        verify(discovery, times(2)).check(any());
        verify(discovery, times(1)).forget();
    }

    @Test
    void partsWhenNoneIsHeldAreNotWatchedAndWhenGainedListedAnew() {
        parts = held(Set.of());
        start(true);
        awaitLines("nothing");
        assertThat(server.requests).isEmpty();

        server.whole(list(10, "")).open();
        store.missing = Missing.ALL;
        parts = held(Set.of(1));
        reflector.partsChanged();
        awaitLines("nothing", "list of 0 at 10");
        assertThat(request(0).query()).doesNotContainKey("resourceVersion").containsKey("shardSelector");
        request(1);
    }

    @Test
    void partsWhenNothingMustBeListedContinueWhereTheyWere() {
        parts = held(Set.of(1, 2));
        server.whole(list(10, "")).open();
        server.open().send(bookmark(12, false));
        start(true);
        request(1);
        assertThat(version(0)).as("the first list").isEqualTo("0");
        parts = held(Set.of(1));
        reflector.partsChanged();
        awaitLines("list of 0 at 10", "bookmark at 12");
        assertThat(version(2)).isEqualTo("10");
        assertThat(request(2).query()).isNotEqualTo(request(1).query());
    }

    @Test
    void listWhenObjectsBelongToOtherPartsCountsThem() {
        Partition four = Partition.of(4, Set.of());
        int other = (four.ofNamespace("z") + 1) % 4;
        parts = PartFilter.of(
                HeldParts.initial(four.withHeld(Set.of(other))), PartitionKey.namespaceOf(header -> "z"), INFO);
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"))).open();
        start(true);
        request(1);
        assertThat(count("filtered_objects")).isEqualTo(1);
        assertThat(count("listed_objects")).isZero();
    }

    @Test
    void partsWhenNoneIsHeldMeanwhileAreListedAgain() {
        parts = held(Set.of(1));
        server.whole(list(10, "")).open();
        start(true);
        request(1);
        parts = held(Set.of());
        reflector.partsChanged();
        awaitLines("list of 0 at 10", "nothing");
        server.whole(list(20, "")).open();
        parts = held(Set.of(1));
        reflector.partsChanged();
        awaitLines("list of 0 at 10", "nothing", "list of 0 at 20");
    }

    @Test
    void partsWhenNoneIsHeldAnyMoreEndsTheFailure() {
        parts = held(Set.of(1));
        server.refuse(403, "Forbidden", Duration.ofMinutes(5));
        start(true);
        await("failure").atMost(LONG).until(() -> state.failure().isPresent());
        parts = held(Set.of());
        reflector.partsChanged();
        awaitLines("nothing");
        assertThat(state.failure()).isEmpty();
    }
}
