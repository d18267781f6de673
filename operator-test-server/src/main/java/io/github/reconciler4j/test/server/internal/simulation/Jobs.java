package io.github.reconciler4j.test.server.internal.simulation;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.github.reconciler4j.test.server.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;
import java.util.stream.Stream;

/** Jobs have all their pods at once, and are complete when these have succeeded. */
final class Jobs implements Simulation {
    private final SimulatedObjects objects;

    Jobs(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        Job job = objects.find(Job.class, name);
        if (job == null || Boolean.TRUE.equals(job.getSpec().getSuspend()) || isComplete(job)) {
            return;
        }
        int wanted = SimulatedObjects.number(
                job.getSpec().getCompletions(),
                SimulatedObjects.number(job.getSpec().getParallelism(), 1));
        for (int i = objects.ownedBy(job, Pod.class).size(); i < wanted; i++) {
            objects.create(Pods.of(job, job.getSpec().getTemplate(), name.name() + "-"));
        }
        List<Pod> pods = objects.ownedBy(job, Pod.class);
        int succeeded = (int) pods.stream().filter(Pods::isOver).count();
        String time = Times.text(objects.access().now());
        objects.updateStatus(Job.class, name, now -> {
            String started = now.getStatus() == null ? null : now.getStatus().getStartTime();
            JobStatusBuilder status = new JobStatusBuilder()
                    .withStartTime(started == null ? time : started)
                    .withActive(pods.size() - succeeded)
                    .withSucceeded(succeeded)
                    .withReady(0);
            if (succeeded >= wanted) {
                status.withCompletionTime(time)
                        .withConditions(Stream.of("SuccessCriteriaMet", "Complete")
                                .map(type -> condition(type, time))
                                .toList());
            }
            return new JobBuilder(now).withStatus(status.build()).build();
        });
    }

    private static boolean isComplete(Job job) {
        return job.getStatus() != null && job.getStatus().getCompletionTime() != null;
    }

    private static JobCondition condition(String type, String time) {
        return new JobConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason("CompletionsReached")
                .withLastProbeTime(time)
                .withLastTransitionTime(time)
                .build();
    }
}
