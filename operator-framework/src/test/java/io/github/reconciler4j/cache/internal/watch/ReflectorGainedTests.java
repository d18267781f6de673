package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a list of gained shards means for the failures of a reflector. */
class ReflectorGainedTests extends ReflectorLoopFixture {

    private static ApiException refusal() {
        return new ApiException("refused", ErrorDetails.of(500, ""));
    }

    @Test
    void listOfGainedShardsEndsTheFailureAndDoesNotTrustThePositionAgain() {
        List<Boolean> failed = new CopyOnWriteArrayList<>();
        shards = held(Set.of(1));
        server.whole(list(10, ""));
        for (int i = 0; i < 3; i++) {
            server.fail(refusal());
        }
        server.answer(() -> {
            failed.add(state.failure().isPresent());
            store.missing = Missing.GAINED;
            shards = held(Set.of(1, 2));
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
}
