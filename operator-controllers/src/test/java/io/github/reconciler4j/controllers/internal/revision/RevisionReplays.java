package io.github.reconciler4j.controllers.internal.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.util.List;
import java.util.Map;

/** Repeats the cases of Kubernetes' tests of the history of revisions. */
public final class RevisionReplays {

    private RevisionReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        replays.replay(
                "history.ControllerRevisionName",
                call -> assertThat(Revisions.name(
                                call.in("prefix").asText(), call.in("hash").asText()))
                        .isEqualTo(call.out(0).asText()));
        replays.replay(
                "history.SortControllerRevisions",
                call -> assertThat(call.list("revisions", ControllerRevision.class).stream()
                                .sorted(Revisions.OLDEST_FIRST)
                                .map(Revisions::name))
                        .isEqualTo(sorted(call)));
        replays.replay("history.FindEqualRevisions", call -> {
            List<ControllerRevision> revisions = call.list("revisions", ControllerRevision.class).stream()
                    .map(RevisionReplays::asPatch)
                    .toList();
            ControllerRevision needle = asPatch(call.in("needle", ControllerRevision.class));
            assertThat(Revisions.equal(revisions, Revisions.data(needle)).stream()
                            .map(Revisions::name))
                    .isEqualTo(call.outList(0, ControllerRevision.class).stream()
                            .map(Revisions::name)
                            .toList());
        });
        replays.except(
                "history.FindEqualRevisions",
                call -> call.test().startsWith("TestStatefulSetCompatibility"),
                "templates that differ by nulls are equal here at once, and only in a second comparison there");
        return replays;
    }

    private static List<String> sorted(UpstreamCase call) {
        ControllerRevision[] after = call.after("revisions", ControllerRevision[].class);
        return after == null
                ? List.of()
                : List.of(after).stream().map(Revisions::name).toList();
    }

    /** These tests keep a template where controllers keep a patch. */
    private static ControllerRevision asPatch(ControllerRevision revision) {
        if (!(revision.getData() instanceof Map<?, ?> data && data.containsKey("spec") && data.size() == 1)) {
            revision.setData(
                    Map.of("spec", Map.of("template", revision.getData() == null ? Map.of() : revision.getData())));
        }
        return revision;
    }
}
