package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a list of gained parts means for the failures of a reflector. */
class ReflectorGainedTests extends ReflectorLoopFixture {

    private static ApiException refusal() {
        return new ApiException("refused", ErrorDetails.of(500, ""));
    }

    @Test
    void listOfGainedPartsEndsTheFailureAndDoesNotTrustThePositionAgain() {
        List<Boolean> failed = new CopyOnWriteArrayList<>();
        parts = held(Set.of(1));
        server.whole(list(10, ""));
        for (int i = 0; i < 3; i++) {
            server.fail(refusal());
        }
        server.answer(() -> {
            failed.add(state.failure().isPresent());
            store.missing = Missing.GAINED;
            parts = held(Set.of(1, 2));
            throw refusal();
        });
        server.whole(list(20, ""));
        server.answer(() -> {
            failed.add(state.failure().isPresent());
            throw refusal();
        });
        server.whole(list(30, "")).open();
        start(true);
        awaitLines("list of 0 at 10", "gained 0 at 20", "list of 0 at 30");
        assertThat(failed).containsExactly(true, false);
        assertThat(version(6)).as("the watch after the list of what was gained").isEqualTo("10");
        assertThat(request(7).query()).as("the list after four refusals").doesNotContainKey("watch");
    }

    @Test
    void listOfGainedPartsThatFailsAfterAWatchWithoutEventsIsNoBrokenWatch() {
        parts = held(Set.of(1));
        server.whole(list(10, ""));
        for (int i = 0; i < 5; i++) {
            Set<Integer> next = Set.of(1, 2 + i % 2);
            FakeConnection.Body watch = new FakeConnection().open();
            server.answer(() -> {
                store.missing = Missing.GAINED;
                parts = held(next);
                return watch;
            });
            server.fail(new ApiException("unavailable", ErrorDetails.of(503, "")));
            server.whole(list(20 + i, ""));
        }
        server.open();
        start(true);
        awaitLines(
                "list of 0 at 10",
                "gained 0 at 20",
                "gained 0 at 21",
                "gained 0 at 22",
                "gained 0 at 23",
                "gained 0 at 24");
        assertThat(version(16)).as("the watch after the last list").isEqualTo("10");
    }

    @Test
    void firstListOfAKindWhosePartsAreHeldIsTheNewest() {
        parts = held(Set.of(1));
        store.missing = Missing.ALL;
        server.whole(list(10, "")).open();
        start(true);
        awaitLines("list of 0 at 10");
        assertThat(version(0))
                .as("what a former holder wrote last may be newer than any cache")
                .isEmpty();
    }
}
