package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controller.internal.SourceSink.Triggers;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class TriggersTests {

    private final Triggers<String> triggers = new Triggers<>();

    private static Trigger trigger(String name, Change change) {
        return Trigger.of("Pod.v1", ObjectKey.of("default", name), change);
    }

    @Test
    void takeGivesWhatWasRecordedOnce() {
        triggers.record("r", trigger("a", Change.CREATED));
        assertThat(triggers.take("other")).isEmpty();
        assertThat(triggers.take("r")).containsExactly(trigger("a", Change.CREATED));
        assertThat(triggers.take("r")).isEmpty();
    }

    @Test
    void recordWhenSameObjectMergesAndKeepsTheLatestChange() {
        triggers.record("r", trigger("a", Change.CREATED));
        triggers.record("r", trigger("b", Change.UPDATED));
        triggers.record("r", trigger("a", Change.DELETED));
        assertThat(triggers.take("r"))
                .containsExactly(
                        trigger("a", Change.CREATED).coalescedWith(trigger("a", Change.DELETED)),
                        trigger("b", Change.UPDATED));
    }

    @Test
    void recordWhenThereAreManyObjectsOnlyCountsTheRest() {
        for (int i = 0; i < 100; i++) {
            triggers.record("r", trigger("object-" + i, Change.UPDATED));
        }
        List<Trigger> taken = triggers.take("r");
        assertThat(taken).hasSize(Triggers.MAX_ORIGINS);
        assertThat(taken.get(15).object()).isEmpty();
        assertThat(taken.stream().mapToInt(Trigger::times).sum()).isEqualTo(100);
    }

    @Test
    void putBackComesBeforeWhatCameMeanwhile() {
        List<Trigger> earlier = List.of(trigger("a", Change.CREATED), trigger("b", Change.CREATED));
        triggers.record("r", trigger("c", Change.CREATED));
        triggers.record("r", trigger("a", Change.UPDATED));
        triggers.putBack("r", earlier);
        assertThat(triggers.take("r"))
                .containsExactly(
                        trigger("a", Change.CREATED).coalescedWith(trigger("a", Change.UPDATED)),
                        trigger("b", Change.CREATED),
                        trigger("c", Change.CREATED));
        triggers.putBack("r", earlier);
        assertThat(triggers.take("r")).isEqualTo(earlier);
    }
}
