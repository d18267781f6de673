package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Reason;
import io.github.reconciler4j.reconcile.Reason.Change;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonsTests {

    private final Reasons<String> reasons = new Reasons<>();

    private static Reason reason(String name, Change change) {
        return Reason.of("Pod.v1", ObjectKey.of("default", name), change);
    }

    @Test
    void takeGivesWhatWasRecordedOnce() {
        reasons.record("r", reason("a", Change.CREATED));
        assertThat(reasons.take("other")).isEmpty();
        assertThat(reasons.take("r")).containsExactly(reason("a", Change.CREATED));
        assertThat(reasons.take("r")).isEmpty();
    }

    @Test
    void recordWhenSameObjectMergesAndKeepsTheLatestChange() {
        reasons.record("r", reason("a", Change.CREATED));
        reasons.record("r", reason("b", Change.UPDATED));
        reasons.record("r", reason("a", Change.DELETED));
        assertThat(reasons.take("r"))
                .containsExactly(
                        reason("a", Change.CREATED).mergedWith(reason("a", Change.DELETED)),
                        reason("b", Change.UPDATED));
    }

    @Test
    void recordWhenThereAreManyObjectsOnlyCountsTheRest() {
        for (int i = 0; i < 100; i++) {
            reasons.record("r", reason("object-" + i, Change.UPDATED));
        }
        List<Reason> taken = reasons.take("r");
        assertThat(taken).hasSize(Reasons.MOST_ORIGINS);
        assertThat(taken.get(15).object()).isEmpty();
        assertThat(taken.stream().mapToInt(Reason::times).sum()).isEqualTo(100);
    }

    @Test
    void putBackComesBeforeWhatCameMeanwhile() {
        List<Reason> earlier = List.of(reason("a", Change.CREATED), reason("b", Change.CREATED));
        reasons.record("r", reason("c", Change.CREATED));
        reasons.record("r", reason("a", Change.UPDATED));
        reasons.putBack("r", earlier);
        assertThat(reasons.take("r"))
                .containsExactly(
                        reason("a", Change.CREATED).mergedWith(reason("a", Change.UPDATED)),
                        reason("b", Change.CREATED),
                        reason("c", Change.CREATED));
        reasons.putBack("r", earlier);
        assertThat(reasons.take("r")).isEqualTo(earlier);
    }
}
