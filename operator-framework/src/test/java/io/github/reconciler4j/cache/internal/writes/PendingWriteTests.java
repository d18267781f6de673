package io.github.reconciler4j.cache.internal.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Entry;
import org.junit.jupiter.api.Test;

class PendingWriteTests {

    private final Entry entry = new Entry(Json.header("a", "x", 1, "12", "v"), BodyForm.NONE, BodyForm.NONE);
    private final PendingWrite written = PendingWrite.written("12", entry.uid(), entry);

    @Test
    void newerWhenAnUnselectedObjectWasDeletedIsTheDeletion() {
        PendingWrite deleted = PendingWrite.deleted("12", entry.uid(), true);
        assertThat(PendingWrite.newer(written.unselected(), deleted)).isSameAs(deleted);
        assertThat(PendingWrite.newer(deleted, written.unselected())).isSameAs(deleted);
    }

    @Test
    void unselectedIsAWriteWithoutAnEntry() {
        assertThat(written.unselected().isWritten()).isTrue();
        assertThat(written.unselected().over(null)).isNull();
        assertThat(written.unselected().over(entry)).isSameAs(entry);
    }

    @Test
    void newerWhenAnUnknownWriteWithoutVersionFollowsOneWithVersionIsNotPassedAtThat() {
        PendingWrite refused = PendingWrite.unknown("", "");
        PendingWrite first = PendingWrite.unknown("12", entry.uid());
        assertThat(PendingWrite.newer(first, refused).isPassed("20", null)).isFalse();
        assertThat(PendingWrite.newer(refused, first).isPassed("20", null)).isFalse();
        assertThat(first.isPassed("20", null)).isTrue();
    }
}
