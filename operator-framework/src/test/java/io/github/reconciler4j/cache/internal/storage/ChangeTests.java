package io.github.reconciler4j.cache.internal.storage;

import static io.github.reconciler4j.cache.internal.storage.EntryFixture.entry;
import static io.github.reconciler4j.cache.internal.storage.EntryFixture.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChangeTests {

    private final Entry before = entry("a", "x", 1, "5", "");
    private final Entry now = entry("a", "x", 1, "6", "");
    private final Entry bare = metadata("a", "x", 1, "4", "");
    private final Entry stillBare = metadata("a", "x", 1, "5", "");

    @Test
    void flagsAreThoseOfTheirType() {
        assertThat(Change.created(now, true).isInitial()).isTrue();
        assertThat(Change.created(now, false).isInitial()).isFalse();
        assertThat(Change.deleted(before, now, true).isInitial()).isFalse();
        assertThat(Change.deleted(before, now, true).isFinalStateUnknown()).isTrue();
        assertThat(Change.deleted(before, now, false).isFinalStateUnknown()).isFalse();
        assertThat(Change.created(now, true).isFinalStateUnknown()).isFalse();
    }

    @Test
    void isRemovalWhenTheObjectIsNotStoredAfterwardsIsTrue() {
        assertThat(Change.deleted(before, now, false).isRemoval()).isTrue();
        assertThat(Change.departed(before).isRemoval()).isTrue();
        assertThat(Change.created(now, false).isRemoval()).isFalse();
        assertThat(Change.updated(before, now).isRemoval()).isFalse();
        assertThat(Change.resync(now).isRemoval()).isFalse();
        assertThat(Change.body(bare, now).isRemoval()).isFalse();
    }

    @Test
    void oldAndEntryAreTheStatesBeforeAndNow() {
        assertThat(Change.created(now, false).old()).isNull();
        assertThat(Change.updated(before, now).old()).isSameAs(before);
        assertThat(Change.updated(before, now).entry()).isSameAs(now);
        assertThat(Change.deleted(before, now, false).entry()).isSameAs(now);
        assertThat(Change.departed(before).old()).isSameAs(before);
        assertThat(Change.resync(now).old()).isSameAs(now);
    }

    @Test
    void seenWhenBodiesDoNotMatterLeavesOutOnlyTheArrivalOfABody() {
        Change body = Change.body(bare, before);
        Change update = Change.updated(bare, stillBare);
        assertThat(body.seen(false)).isNull();
        assertThat(update.seen(false)).isSameAs(update);
    }

    @Test
    void seenWhenBodiesMatterIsTheSameForObjectsThatHadOne() {
        Change created = Change.created(now, false);
        Change updated = Change.updated(before, now);
        Change deleted = Change.deleted(before, now, true);
        assertThat(created.seen(true)).isSameAs(created);
        assertThat(updated.seen(true)).isSameAs(updated);
        assertThat(deleted.seen(true)).isSameAs(deleted);
    }

    @Test
    void seenWhenTheBodyArrivesIsAnInitialCreation() {
        for (Change arrival : new Change[] {Change.body(bare, now), Change.updated(bare, now)}) {
            Change seen = arrival.seen(true);
            assertThat(seen.type()).isEqualTo(Change.Type.CREATED);
            assertThat(seen.isInitial()).isTrue();
            assertThat(seen.entry()).isSameAs(now);
        }
    }

    @Test
    void seenWhenThereWasNeverABodyIsNothing() {
        assertThat(Change.created(bare, false).seen(true)).isNull();
        assertThat(Change.updated(bare, stillBare).seen(true)).isNull();
        assertThat(Change.deleted(bare, bare, false).seen(true)).isNull();
        assertThat(Change.deleted(bare, now, false).seen(true))
                .as("deleted with its last state")
                .isNull();
        assertThat(Change.departed(bare).seen(true)).isNull();
    }
}
