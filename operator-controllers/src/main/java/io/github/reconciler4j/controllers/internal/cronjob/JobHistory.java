package io.github.reconciler4j.controllers.internal.cronjob;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

import io.fabric8.kubernetes.api.model.batch.v1.CronJobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses which finished Jobs of a CronJob are to be deleted. */
final class JobHistory {

    static final Comparator<Job> OLDEST_FIRST = comparing(JobHistory::start, nullsLast(naturalOrder()))
            .thenComparing(job -> job.getMetadata().getName());

    private JobHistory() {}

    /** Return the oldest of the Jobs that have succeeded, and of those that have failed, beyond the limits. */
    static List<Job> toDelete(CronJobSpec spec, List<Job> jobs) {
        List<Job> delete = new ArrayList<>(oldest(jobs, FinishedJobs.COMPLETE, spec.getSuccessfulJobsHistoryLimit()));
        delete.addAll(oldest(jobs, FinishedJobs.FAILED, spec.getFailedJobsHistoryLimit()));
        return delete;
    }

    private static List<Job> oldest(List<Job> jobs, String outcome, @Nullable Integer limit) {
        List<Job> ended = jobs.stream()
                .filter(job -> FinishedJobs.condition(job)
                        .map(JobCondition::getType)
                        .filter(outcome::equals)
                        .isPresent())
                .sorted(OLDEST_FIRST)
                .toList();
        return limit == null ? List.of() : ended.subList(0, Math.max(0, ended.size() - limit));
    }

    private static @Nullable Instant start(Job job) {
        return job.getStatus() == null ? null : Times.parse(job.getStatus().getStartTime());
    }
}
