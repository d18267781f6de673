package io.github.reconciler4j.controllers.internal.ttlafterfinished;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.controllers.upstream.Replays;
import java.time.Instant;
import java.util.Objects;

/** Repeats the cases of Kubernetes' tests of its controller that deletes finished Jobs. */
public final class TtlReplays {

    private TtlReplays() {}

    public static Replays all() {
        return new Replays().replay("ttlafterfinished.timeLeft", call -> {
            Job job = Objects.requireNonNull(call.in("j", Job.class));
            Instant now = Instant.parse(call.in("since").asText());
            String error = call.out(2).asText("");
            if (error.startsWith("unable to find the time")) {
                assertThatThrownBy(() -> TtlAfterFinishedReconciler.timeLeft(job, now))
                        .isInstanceOf(IllegalStateException.class);
            } else if (!call.out(2).isNull()) {
                assertThat(TtlAfterFinishedReconciler.timeLeft(job, now)).isEmpty();
            } else {
                assertThat(TtlAfterFinishedReconciler.timeLeft(job, now)
                                .orElseThrow()
                                .toNanos())
                        .isEqualTo(call.out(0).asLong());
            }
        });
    }
}
