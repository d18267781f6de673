package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.github.reconciler4j.client.OwnerReferences;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Makes Jobs from the templates of CronJobs. */
final class ScheduledJobs {

    /** The time for which a Job was created, in the time zone of its CronJob. */
    static final String TIME = "batch.kubernetes.io/cronjob-scheduled-timestamp";

    private ScheduledJobs() {}

    /** The name has the minute, so that no two Jobs are created for one time. */
    static String name(CronJob cronJob, Instant time) {
        return cronJob.getMetadata().getName() + "-" + Math.floorDiv(time.getEpochSecond(), 60L);
    }

    static Job jobFor(CronJob cronJob, Instant time) {
        JobTemplateSpec template = cronJob.getSpec().getJobTemplate();
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Map<String, String> annotations =
                new HashMap<>(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        annotations.put(
                TIME,
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                        time.truncatedTo(ChronoUnit.SECONDS).atZone(zone(cronJob))));
        Job job = new JobBuilder()
                .withNewMetadata()
                .withNamespace(cronJob.getMetadata().getNamespace())
                .withName(name(cronJob, time))
                .withLabels(new HashMap<>(Objects.requireNonNullElse(metadata.getLabels(), Map.of())))
                .withAnnotations(annotations)
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
        OwnerReferences.setController(job, cronJob);
        return job;
    }

    private static ZoneId zone(CronJob cronJob) {
        return TimeZones.find(Objects.requireNonNullElse(cronJob.getSpec().getTimeZone(), ""))
                .orElse(ZoneOffset.UTC);
    }

    /** Return what the status of a CronJob says about a Job that runs. */
    static ObjectReference reference(Job job) {
        return new ObjectReferenceBuilder()
                .withApiVersion(job.getApiVersion())
                .withKind(job.getKind())
                .withNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .withResourceVersion(job.getMetadata().getResourceVersion())
                .build();
    }
}
