package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a listener reads is never older than what it is delivered, also if this program was refused a write of the object, asked
 * the API server, and shows the answer until the watch is there.
 */
class DeliveredWritesTests extends GainedWritesFixture {

    private final List<String> read = new ArrayList<>();

    @BeforeEach
    void askWhileTheWatchIsBehind() {
        hold(0, 1);
        listed(10, x(KEPT, 10));
        responses.refused(X);
        answer(NOTHING, list(20, "", x(KEPT, 10)));
        assertThat(seen()).isEqualTo("10");
        whenDelivered = () -> read.add(seen());
    }

    @Test
    void listenerWhenTheObjectIsDeletedReadsNothing() throws IOException {
        event("DELETED", KEPT, 30);
        assertThat(read).containsExactly("nothing");
    }

    @Test
    void listenerWhenTheObjectIsMissingInANewListReadsNothing() {
        missing = Missing.ALL;
        listed(30);
        assertThat(read).containsExactly("nothing");
    }

    @Test
    void listenerWhenTheServerWasRestoredReadsTheList() {
        missing = Missing.ALL;
        listed(5, x(KEPT, 4));
        assertThat(read).containsExactly("4");
    }

    @Test
    void listenerWhenTheObjectChangesReadsTheChange() throws IOException {
        event("MODIFIED", KEPT, 30);
        assertThat(read).containsExactly("30");
    }
}
