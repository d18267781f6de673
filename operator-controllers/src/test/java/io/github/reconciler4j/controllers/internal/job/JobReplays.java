package io.github.reconciler4j.controllers.internal.job;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicy;
import io.fabric8.kubernetes.api.model.batch.v1.SuccessPolicy;
import io.fabric8.kubernetes.api.model.batch.v1.UncountedTerminatedPods;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/** Repeats the cases of Kubernetes' tests of its Job controller: policies, indexes, delays and choices of pods. */
public final class JobReplays {

    private JobReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        policies(replays);
        indexes(replays);
        indexesOfPods(replays);
        pendingIndexes(replays);
        replacedIndexes(replays);
        backoff(replays);
        finishedPods(replays);
        podsToRemove(replays);
        orphanedPods(replays);
        conditions(replays);
        JobSyncReplays.addTo(replays);
        return replays;
    }

    private static void policies(Replays replays) {
        replays.replay("job.matchPodFailurePolicy", call -> {
            FailureMatch match =
                    FailureMatch.of(call.in("podFailurePolicy", PodFailurePolicy.class), pod(call, "failedPod"));
            assertThat(match.message()).isEqualTo(call.out(0, String.class));
            assertThat(match.counts()).isEqualTo(call.out(1).asBoolean());
            assertThat(match.action()).isEqualTo(call.out(2, String.class));
        });
        replays.replay("job.matchSuccessPolicy", call -> {
            String message = SuccessPolicies.match(
                            call.in("successPolicy", SuccessPolicy.class),
                            call.number("completions"),
                            indexes(call.in("succeededIndexes")))
                    .orElse("");
            assertThat(message).isEqualTo(call.out(0).asText());
            assertThat(!message.isEmpty()).isEqualTo(call.out(1).asBoolean());
        });
        replays.replay("job.getFailJobMessage", call -> {
            List<Pod> pods = call.list("pods", Pod.class);
            assertThat(JobVerdict.failMessage(job(call), pods).orElse(null)).isEqualTo(call.out(0, String.class));
        });
        replays.replay(
                "job.pastBackoffLimitOnFailure",
                call -> assertThat(JobVerdict.isPastRestartLimit(job(call), call.list("pods", Pod.class)))
                        .isEqualTo(call.out(0).asBoolean()));
    }

    private static void indexes(Replays replays) {
        replays.replay(
                "job.parseIndexesFromString",
                call -> assertThat(Indexes.parse(call.in("indexesStr").asText(), call.number("completions")))
                        .isEqualTo(indexes(call.out(0))));
        replays.replay(
                "job.orderedIntervals.merge",
                call -> assertThat(indexes(call.note("receiver")).with(indexes(call.in("newOi"))))
                        .isEqualTo(indexes(call.out(0))));
        replays.replay(
                "job.orderedIntervals.has",
                call -> assertThat(indexes(call.note("receiver")).contains(call.number("ix")))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "job.orderedIntervals.String",
                call -> assertThat(indexes(call.note("receiver")).toString())
                        .isEqualTo(call.out(0).asText()));
        replays.replay(
                "job.podGenerateNameWithIndex",
                call -> assertThat(JobPodFactory.namePrefix(call.in("jobName").asText(), call.number("index")))
                        .isEqualTo(call.out(0).asText()));
    }

    private static void indexesOfPods(Replays replays) {
        replays.replay("job.calculateSucceededIndexes", call -> {
            TrackedPods tracked = tracked(call);
            assertThat(tracked.countedIndexes()).isEqualTo(indexes(call.out(0)));
            assertThat(tracked.succeededIndexes()).isEqualTo(indexes(call.out(1)));
        });
        replays.replay(
                "job.calculateFailedIndexes",
                call -> assertThat(tracked(call).failedIndexes()).isEqualTo(indexes(call.out(0))));
        replays.replay(
                "job.isIndexFailed",
                call -> assertThat(TrackedPods.failsIndex(job(call), pod(call, "pod")))
                        .isEqualTo(call.out(0).asBoolean()));
    }

    private static void pendingIndexes(Replays replays) {
        replays.replay("job.firstPendingIndexes", call -> {
            Job job = UpstreamCase.read(call.in("jobCtx").get("job"), Job.class);
            Indexes taken = indexes(call.in("jobCtx").get("succeededIndexes"))
                    .with(IndexedPods.indexes(
                            UpstreamCase.readList(call.in("jobCtx").get("activePods"), Pod.class)))
                    .with(indexes(call.in("jobCtx").get("failedIndexes")));
            TrackedPods tracked = new TrackedPods(
                    withStatus(job), UpstreamCase.readList(call.in("jobCtx").get("pods"), Pod.class));
            if (JobSpecs.replacesFailedOnly(job)) {
                taken = taken.with(IndexedPods.indexes(tracked.terminating()));
            }
            assertThat(taken.firstMissing(call.number("count"), call.number("completions")))
                    .isEqualTo(call.outList(0, Integer.class));
        });
    }

    private static void replacedIndexes(Replays replays) {
        replays.replay("job.getPodsWithDelayedDeletionPerIndex", call -> {
            JsonNode context = call.in("jobCtx");
            TrackedPods tracked = new TrackedPods(
                    withStatus(UpstreamCase.read(context.get("job"), Job.class)),
                    UpstreamCase.readList(context.get("pods"), Pod.class));
            Map<Integer, String> names = new TreeMap<>();
            tracked.toReplace(indexes(context.get("succeededIndexes")), indexes(context.get("failedIndexes")))
                    .forEach((index, pod) -> names.put(index, pod.getMetadata().getUid()));
            Map<Integer, String> expected = new TreeMap<>();
            call.out(0)
                    .properties()
                    .forEach(entry -> expected.put(
                            Integer.valueOf(entry.getKey()),
                            entry.getValue().path("metadata").path("uid").asText()));
            assertThat(names).isEqualTo(expected);
        });
        replays.replay("job.getNewIndexFailureCounts", call -> {
            Pod replaced = call.in("podBeingReplaced", Pod.class);
            assertThat(JobPodFactory.failures(job(call), replaced))
                    .isEqualTo(call.out(0).asInt());
            assertThat(JobPodFactory.ignoredFailures(job(call), replaced))
                    .isEqualTo(call.out(1).asInt());
        });
    }

    private static void backoff(Replays replays) {
        replays.replay("job.getFinishedTime", call -> {
            Instant expected = call.out(0).isNull()
                    ? Instant.EPOCH
                    : Instant.parse(call.out(0).asText());
            assertThat(FinishTimes.of(pod(call, "p"))).isEqualTo(expected);
        });
        replays.replay("job.getRemainingTimeForFailuresCount", call -> {
            Instant now = call.now();
            Instant failure = call.note("elapsed").isMissingNode()
                    ? null
                    : now.minusNanos(call.note("elapsed").asLong());
            Duration remaining = new PodBackoff(call.number("failuresCount"), failure)
                    .remaining(
                            now,
                            Duration.ofNanos(call.in("defaultBackoff").asLong()),
                            Duration.ofNanos(call.in("maxBackoff").asLong()));
            assertThat((double) remaining.toNanos())
                    .isCloseTo(call.out(0).asLong(), org.assertj.core.data.Offset.offset(50_000_000.0));
        });
        replays.replay("job.backoffStore.newBackoffRecord", call -> {
            PodBackoff next = backoffOf(call.note("store"), call.in("key").asText())
                    .after(call.list("newSucceededPods", Pod.class), call.list("newFailedPods", Pod.class));
            assertThat(next.failures())
                    .isEqualTo(call.out(0).get("failuresAfterLastSuccess").asInt());
            if (next.failures() > 0) {
                JsonNode time = call.out(0).get("lastFailureTime");
                assertThat(next.lastFailure()).isEqualTo(time.isNull() ? Instant.EPOCH : Instant.parse(time.asText()));
            }
        });
    }

    static PodBackoff backoffOf(JsonNode records, String key) {
        return StreamSupport.stream(records.spliterator(), false)
                .filter(record -> record.get("key").asText().equals(key))
                .map(record -> new PodBackoff(
                        record.get("failuresAfterLastSuccess").asInt(),
                        Times.parse(record.path("lastFailureTime").asText(null))))
                .findFirst()
                .orElse(PodBackoff.NONE);
    }

    private static void finishedPods(Replays replays) {
        replays.replay("job.getNewFinishedPods", call -> {
            JsonNode context = call.in("jobCtx");
            Job job = withStatus(UpstreamCase.read(context.get("job"), Job.class));
            UncountedTerminatedPods uncounted =
                    UpstreamCase.read(context.get("uncounted"), UncountedTerminatedPods.class);
            if (uncounted != null) {
                job.getStatus().setUncountedTerminatedPods(uncounted);
            }
            TrackedPods tracked = new TrackedPods(job, UpstreamCase.readList(context.get("pods"), Pod.class));
            assertThat(names(tracked.newlySucceeded())).isEqualTo(names(call.outList(0, Pod.class)));
            assertThat(names(tracked.newlyFailed())).isEqualTo(names(call.outList(1, Pod.class)));
        });
        replays.except(
                "job.getNewFinishedPods",
                call -> !call.in("jobCtx").path("expectedRmFinalizers").isEmpty(),
                "reads include removed finalizers, so that nothing is expected");
    }

    private static void podsToRemove(Replays replays) {
        replays.replay("job.activePodsForRemoval", call -> {
            List<Pod> pods = call.list("pods", Pod.class);
            List<Pod> delete = ActivePods.toDelete(job(call), pods, call.number("rmAtLeast"));
            assertThat(ranks(delete)).containsExactlyInAnyOrderElementsOf(ranks(call.outList(0, Pod.class)));
        });
        replays.replay("job.appendDuplicatedIndexPodsForRemoval", call -> {
            List<Pod> delete = new ArrayList<>(call.list("rm", Pod.class));
            List<Pod> keep = new ArrayList<>(call.list("left", Pod.class));
            ActivePods.sortOut(call.list("pods", Pod.class), call.number("completions"), delete, keep);
            assertThat(ranks(delete)).containsExactlyInAnyOrderElementsOf(ranks(call.outList(0, Pod.class)));
            assertThat(ranks(keep)).containsExactlyInAnyOrderElementsOf(ranks(call.outList(1, Pod.class)));
        });
    }

    private static void orphanedPods(Replays replays) {
        replays.replay("job.Controller.handleSingleOrphanPod", call -> {
            Pod pod = pod(call, "sharedPod");
            Job job = call.notes("jobs", Job.class).stream()
                    .filter(candidate -> isOwner(candidate, pod))
                    .findFirst()
                    .orElse(null);
            boolean released = TrackedPods.isTracked(pod) && OrphanedPods.isOrphaned(pod, job);
            assertThat(released)
                    .isEqualTo(call.note("control").get("patches").size()
                            > call.note("controlBefore").get("patches").size());
        });
        replays.except(
                "job.Controller.handleSingleOrphanPod",
                call -> call.note("control").isMissingNode(),
                "it was recorded without its requests");
    }

    private static boolean isOwner(Job job, Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        Objects.equals(owner.getName(), job.getMetadata().getName()));
    }

    /** What a choice depends on: pods that are equal in that can be exchanged. */
    private static List<String> ranks(Collection<Pod> pods) {
        return pods.stream()
                .map(pod -> IndexedPods.index(pod) + " " + json(pod.getStatus()) + " "
                        + pod.getSpec().getNodeName() + " " + pod.getMetadata().getCreationTimestamp())
                .toList();
    }

    private static void conditions(Replays replays) {
        replays.replay("job.ensureJobConditionStatus", call -> {
            JobStatus status = new JobStatus();
            status.setConditions(call.list("list", JobCondition.class));
            status.getConditions().forEach(condition -> {
                condition.setReason(Objects.requireNonNullElse(condition.getReason(), ""));
                condition.setMessage(Objects.requireNonNullElse(condition.getMessage(), ""));
            });
            boolean changed = JobConditions.set(
                    status,
                    JobConditions.create(
                            call.in("cType").asText(),
                            call.in("status").asText().equals("True"),
                            call.in("reason").asText(),
                            call.in("message").asText(),
                            Instant.parse(call.in("now").asText())));
            assertThat(changed).isEqualTo(call.out(1).asBoolean());
            assertThat(texts(status.getConditions())).isEqualTo(texts(call.outList(0, JobCondition.class)));
        });
        replays.replay("job.cleanUncountedPodsWithoutFinalizers", call -> {
            JobStatus status = call.in("status", JobStatus.class);
            Set<String> tracked = new HashSet<>(call.list("uidsWithFinalizer", String.class));
            assertThat(Counting.countReleased(status, tracked))
                    .isEqualTo(call.out(0).asBoolean());
            JobStatus expected = call.after("status", JobStatus.class);
            assertThat(json(status)).isEqualTo(json(expected));
        });
    }

    static List<String> texts(List<JobCondition> conditions) {
        return conditions.stream()
                .map(condition -> condition.getType() + "=" + condition.getStatus() + " "
                        + Objects.requireNonNullElse(condition.getReason(), "") + ": "
                        + Objects.requireNonNullElse(condition.getMessage(), ""))
                .toList();
    }

    static Indexes indexes(JsonNode intervals) {
        List<Indexes.Range> ranges = new ArrayList<>();
        intervals.forEach(interval -> ranges.add(new Indexes.Range(
                interval.get("First").asInt(), interval.get("Last").asInt())));
        return new Indexes(ranges);
    }

    private static TrackedPods tracked(UpstreamCase call) {
        return new TrackedPods(job(call), call.list("pods", Pod.class));
    }

    private static Job job(UpstreamCase call) {
        return withStatus(Objects.requireNonNull(call.in("job", Job.class)));
    }

    static Job withStatus(Job job) {
        if (job.getStatus() == null) {
            job.setStatus(new JobStatus());
        }
        if (job.getStatus().getUncountedTerminatedPods() == null) {
            job.getStatus().setUncountedTerminatedPods(new UncountedTerminatedPods());
        }
        return job;
    }

    private static Pod pod(UpstreamCase call, String name) {
        return Objects.requireNonNull(call.in(name, Pod.class));
    }

    private static List<String> names(Collection<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).sorted().toList();
    }
}
