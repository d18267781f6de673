package io.github.reconciler4j.controllers.internal.job;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.github.reconciler4j.controllers.internal.support.Claim;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.PodCalls;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Repeats whole reconciliations of Kubernetes' tests of its Job controller, with all writes. */
final class JobSyncReplays {

    private static final String TRACK = "job.Controller.trackJobStatusAndRemoveFinalizers";
    private static final String SYNC = "job.Controller.syncJob";
    private static final EventRecorder NO_EVENTS = entry -> {};
    private static final PodCalls CALLS = new PodCalls();

    private JobSyncReplays() {}

    static void addTo(Replays replays) {
        replays.replay(TRACK, JobSyncReplays::track);
        replays.except(
                TRACK,
                call -> !call.in("jobCtx").path("expectedRmFinalizers").isEmpty()
                        || hasNoControl(call)
                        || call.test().endsWith("too_many_indexed_finished")
                        || call.test().endsWith("status_update_error")
                        || call.test().startsWith("TestSyncJobUpdateRequeue"),
                "reads include removed finalizers, so that nothing is expected; or it needs a server that fails; "
                        + "or the test passes fewer indexes than the caller does");
        replays.replay(SYNC, JobSyncReplays::sync);
        replays.except(
                SYNC,
                call -> hasNoControl(call)
                        || call.notes("jobs", Job.class).size() != 1
                        || !call.note("satisfied").asBoolean()
                        || !call.note("expectedRemovals").isEmpty()
                        || isSkipped(call)
                        || call.test().startsWith("TestSyncJobUpdateRequeue")
                        || call.test().startsWith("TestSyncJobExpectations")
                        || call.test().contains("PodSchedulingGroup")
                        || call.test().contains("not_triggered_when_Job_is_suspended"),
                "it is decided before the Job is read, waits for the cache of Go, needs a server that fails, "
                        + "a feature that is off, or the behavior of Kubernetes 1.34");
    }

    private static boolean hasNoControl(UpstreamCase call) {
        return call.note("controlBefore").isMissingNode();
    }

    private static boolean isSkipped(UpstreamCase call) {
        Job job = call.notes("jobs", Job.class).get(0);
        return FinishedJobs.isFinished(job) || JobSpecs.isManagedElsewhere(job) || JobSpecs.hasUnknownMode(job);
    }

    private static void track(UpstreamCase call) {
        JsonNode context = call.in("jobCtx");
        Job job = JobReplays.withStatus(UpstreamCase.read(context.get("job"), Job.class));
        RecordedWrites writes = writes(call);
        PodWrites pods = new PodWrites(writes.client(), NO_EVENTS, CALLS);
        Map<Integer, Pod> toReplace = new HashMap<>();
        context.path("podsWithDelayedDeletionPerIndex")
                .properties()
                .forEach(entry ->
                        toReplace.put(Integer.valueOf(entry.getKey()), UpstreamCase.read(entry.getValue(), Pod.class)));
        JobCondition end = UpstreamCase.read(context.get("finishedCondition"), JobCondition.class);
        Tracking tracking = new Tracking(job, writes::update, pods::release);
        boolean failed = failsWhen(() -> tracking.run(
                new TrackedPods(job, withUids(UpstreamCase.readList(context.get("pods"), Pod.class))),
                end,
                toReplace,
                context.path("terminating").asInt(),
                call.in("needsFlush").asBoolean(),
                Instant.parse(call.note("clock").asText())));
        assertThat(failed).isEqualTo(!call.out(0).isNull());
        assertWrites(writes, call);
    }

    private static void sync(UpstreamCase call) {
        Job job = call.notes("jobs", Job.class).get(0);
        Instant now = Instant.parse(call.note("clock").asText());
        List<Pod> pods = withUids(call.notes("pods", Pod.class)).stream()
                .filter(pod -> Claim.of(job, Selectors.matches(job.getSpec().getSelector(), pod), pod) == Claim.KEEP)
                .toList();
        RecordedWrites writes = writes(call);
        JobSync sync = new JobSync(
                writes.client(),
                NO_EVENTS,
                new PodWrites(writes.client(), NO_EVENTS, CALLS),
                job,
                pods,
                JobReplays.backoffOf(
                        call.note("backoff"),
                        ObjectKey.of(job).namespace() + "/" + job.getMetadata().getName()),
                now);
        boolean failed = failsWhen(sync::run);
        assertThat(failed).as("failure").isEqualTo(!call.out(0).isNull());
        assertWrites(writes, call);
    }

    /** In Go, what has no uid has an empty one. */
    private static List<Pod> withUids(List<Pod> pods) {
        pods.stream()
                .filter(pod -> pod.getMetadata().getUid() == null)
                .forEach(pod -> pod.getMetadata().setUid(""));
        return pods;
    }

    private static boolean failsWhen(Runnable action) {
        try {
            action.run();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static RecordedWrites writes(UpstreamCase call) {
        JsonNode control = call.note("controlBefore");
        return new RecordedWrites(
                control.get("error").asText(null), control.get("createLimit").asInt());
    }

    private static void assertWrites(RecordedWrites writes, UpstreamCase call) {
        JsonNode before = call.note("controlBefore");
        JsonNode after = call.note("control");
        assertThat(writes.created().stream().map(JobSyncReplays::describe).toList())
                .as("created")
                .containsExactlyInAnyOrderElementsOf(added(before, after, "templates").stream()
                        .map(template -> describe(UpstreamCase.read(template, PodTemplateSpec.class)))
                        .toList());
        assertThat(writes.deleted()).as("deleted").hasSameSizeAs(added(before, after, "deleted"));
        assertThat(writes.patches()).as("patches").hasSameSizeAs(added(before, after, "patches"));
        Instant now = Instant.parse(call.note("clock").asText());
        assertThat(writes.updates().stream()
                        .map(job -> describe(job.getStatus(), now))
                        .toList())
                .as("statuses")
                .isEqualTo(call.notes("updates", Job.class).stream()
                        .map(job -> describe(job.getStatus(), now))
                        .toList());
    }

    private static List<JsonNode> added(JsonNode before, JsonNode after, String field) {
        return StreamSupport.stream(after.get(field).spliterator(), false)
                .skip(before.get(field).size())
                .toList();
    }

    private static JsonNode describe(Pod pod) {
        PodTemplateSpec template = new PodTemplateSpec();
        template.setMetadata(pod.getMetadata());
        template.setSpec(pod.getSpec());
        return describe(template);
    }

    /** Only pods with an index get the prefix of their name from the Job controller in Go. */
    private static JsonNode describe(PodTemplateSpec template) {
        ObjectNode described = (ObjectNode) json(template);
        ObjectNode metadata = (ObjectNode) described.get("metadata");
        metadata.remove(List.of("name", "namespace", "ownerReferences", "creationTimestamp"));
        if (!metadata.path("annotations").has(IndexedPods.INDEX)) {
            metadata.remove("generateName");
        }
        metadata.properties()
                .removeIf(
                        field -> field.getValue().isEmpty() && !field.getValue().isValueNode());
        return described;
    }

    /** Times that are now are those of the two runs, and the order of uids is that of a map in Go. */
    private static JsonNode describe(JobStatus status, Instant now) {
        JobStatus copy = new JobStatusBuilder(status).build();
        copy.getConditions().forEach(condition -> {
            condition.setLastProbeTime(null);
            condition.setLastTransitionTime(null);
        });
        copy.setStartTime(normalized(copy.getStartTime(), now));
        copy.setCompletionTime(normalized(copy.getCompletionTime(), now));
        copy.getUncountedTerminatedPods()
                .setSucceeded(sorted(copy.getUncountedTerminatedPods().getSucceeded()));
        copy.getUncountedTerminatedPods()
                .setFailed(sorted(copy.getUncountedTerminatedPods().getFailed()));
        return json(copy);
    }

    private static List<String> sorted(List<String> uids) {
        List<String> sorted = new ArrayList<>(uids);
        sorted.sort(null);
        return sorted;
    }

    private static @Nullable String normalized(@Nullable String time, Instant now) {
        Instant parsed = Times.parse(time);
        return parsed != null && Duration.between(parsed, now).abs().toSeconds() < 3
                ? "now"
                : parsed == null ? null : Times.format(parsed);
    }
}
