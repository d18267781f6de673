package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.scheme.Scheme;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchPositionTests {

    private final WatchPosition position = new WatchPosition();

    @Test
    void boundWhenNothingWasSeenIsThatOfTheFirstList() {
        assertThat(position.isKnown()).isFalse();
        assertThat(position.next()).isEmpty();
        assertThat(position.bound("0")).isEqualTo("0");
    }

    @Test
    void boundWhenThePositionWasLostIsWhatWasSeen() {
        position.listed("10");
        position.passed("12");
        assertThat(position.isKnown()).isTrue();
        assertThat(position.next()).isEqualTo("12");
        position.lose(false);
        assertThat(position.isKnown()).isFalse();
        assertThat(position.bound("0")).isEqualTo("12");
    }

    @Test
    void boundWhenTheNextListMustBeTheNewestIsEmptyUntilOneIsComplete() {
        position.listed("10");
        position.lose(true);
        position.lose(false);
        assertThat(position.bound("0")).isEmpty();
        position.passed("11");
        assertThat(position.bound("0")).as("an event is no list").isEmpty();
        position.listed("12");
        position.lose(false);
        assertThat(position.bound("0")).isEqualTo("12");
    }

    @Test
    void boundWhenSomethingWasGainedIsNotOlderThanItsList() {
        position.listed("10");
        position.mustBeNewest();
        assertThat(position.next()).isEqualTo("10");
        assertThat(position.bound("0")).as("before it is listed").isEmpty();
        position.added("15");
        position.passed("12");
        assertThat(position.next()).isEqualTo("12");
        assertThat(position.bound("0")).isEqualTo("15");
        position.passed("16");
        assertThat(position.bound("0")).isEqualTo("16");
        position.listed("9");
        assertThat(position.bound("0")).as("after a restore").isEqualTo("9");
    }

    @Test
    void passedWhenThereIsNoVersionChangesNothing() {
        position.passed("7");
        position.passed("");
        assertThat(position.next()).isEqualTo("7");
    }

    @Test
    void progressWhenAnythingIsReceivedSaysWhen() {
        WatchProgress progress = new WatchProgress("", ObjectSelector.everything());
        assertThat(progress.position()).isEmpty();
        progress.received(7, false);
        assertThat(progress.receivedAt()).isEqualTo(7);
        assertThat(progress.eventAt()).as("a list is no event").isZero();
        progress.received(9, true);
        assertThat(progress.receivedAt()).isEqualTo(9);
        assertThat(progress.eventAt()).isEqualTo(9);
        progress.position("12");
        assertThat(progress.position()).isEqualTo("12");
    }

    @Test
    void progressWhenFieldsAreUnknownToTheCacheSaysSo() {
        ObjectSelector everything = ObjectSelector.everything();
        assertThat(new WatchProgress("", everything).isSelectionKnown()).isTrue();
        assertThat(new WatchProgress("", everything).isSelectionFixed()).isTrue();
        WatchProgress labels = new WatchProgress("", everything.withLabels("app=v"));
        assertThat(labels.isSelectionKnown()).isTrue();
        assertThat(labels.isSelectionFixed()).isFalse();
        WatchProgress phase = new WatchProgress("", everything.withFields("status.phase=Running"));
        assertThat(phase.isSelectionKnown()).isFalse();
        assertThat(phase.isSelectionFixed()).isFalse();
    }

    @Test
    void progressWhenAnotherPartIsHeldSelectsNothingOfIt() {
        WatchProgress progress = new WatchProgress("", ObjectSelector.everything());
        assertThat(progress.parts()).isSameAs(PartFilter.ALL);
        Partition none = Partition.of(4, Set.of());
        PartFilter filter = PartFilter.of(
                HeldParts.initial(none), PartitionKey.owner(), Scheme.create().kindOf(ConfigMap.class));
        progress.parts(filter);
        assertThat(progress.parts()).isSameAs(filter);
        assertThat(progress.selects(Json.header("a", "x", 1, "5", ""))).isFalse();
        assertThat(progress.isSelectionFixed()).as("the owner can change").isFalse();
    }

    @Test
    void progressSelectsWhatHasLabelsAndFields() {
        WatchProgress both = new WatchProgress(
                "", ObjectSelector.everything().withLabels("app=v").withFields("metadata.name!=y"));
        assertThat(both.selects(Json.header("a", "x", 1, "5", "v"))).isTrue();
        assertThat(both.selects(Json.header("a", "x", 1, "5", "w"))).isFalse();
        assertThat(both.selects(Json.header("a", "y", 1, "5", "v"))).isFalse();
    }
}
