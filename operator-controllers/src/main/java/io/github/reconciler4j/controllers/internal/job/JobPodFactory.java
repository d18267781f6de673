package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.OwnerReferences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes pods from the template of a Job. */
final class JobPodFactory {

    private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";
    private static final int MAX_NAME_LENGTH = 253;

    /** What the API server leaves of a prefix before it adds five characters. */
    private static final int MAX_PREFIX_LENGTH = 58;

    private JobPodFactory() {}

    /**
     * Make a pod.
     *
     * @param index its completion index, {@link IndexedPods#UNKNOWN} for none
     * @param replaced the failed pod of the same index, which passes its failures on
     */
    static Pod podFor(Job job, int index, @Nullable Pod replaced) {
        PodTemplateSpec template = job.getSpec().getTemplate();
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(job.getMetadata().getNamespace())
                .withGenerateName(namePrefix(job.getMetadata().getName(), index))
                .withLabels(new HashMap<>(Objects.requireNonNullElse(metadata.getLabels(), Map.of())))
                .withAnnotations(new HashMap<>(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of())))
                .withFinalizers(finalizers(metadata))
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
        if (JobSpecs.isIndexed(job)) {
            addIndex(job, pod, index);
            if (JobSpecs.countsFailuresPerIndex(job)) {
                addFailures(job, pod, replaced);
            }
        }
        OwnerReferences.setController(pod, job);
        return pod;
    }

    private static List<String> finalizers(ObjectMeta metadata) {
        List<String> finalizers = new ArrayList<>(metadata.getFinalizers());
        if (!finalizers.contains(TrackedPods.FINALIZER)) {
            finalizers.add(TrackedPods.FINALIZER);
        }
        return finalizers;
    }

    /** The name of the Job and the index, shortened so that the index is not cut off. */
    static String namePrefix(String name, int index) {
        if (index == IndexedPods.UNKNOWN) {
            return name.length() < MAX_NAME_LENGTH ? name + "-" : name;
        }
        String suffix = "-" + index + "-";
        return name.substring(0, Math.min(name.length(), MAX_PREFIX_LENGTH - suffix.length())) + suffix;
    }

    private static void addIndex(Job job, Pod pod, int index) {
        String text = Integer.toString(index);
        pod.getMetadata().getAnnotations().put(IndexedPods.INDEX, text);
        pod.getMetadata().getLabels().put(IndexedPods.INDEX, text);
        pod.getSpec().setHostname(job.getMetadata().getName() + "-" + text);
        pod.getSpec().getInitContainers().forEach(JobPodFactory::addVariable);
        pod.getSpec().getContainers().forEach(JobPodFactory::addVariable);
    }

    private static void addVariable(Container container) {
        if (container.getEnv().stream().noneMatch(variable -> INDEX_VARIABLE.equals(variable.getName()))) {
            List<EnvVar> variables = new ArrayList<>(container.getEnv());
            variables.add(new EnvVarBuilder()
                    .withName(INDEX_VARIABLE)
                    .withNewValueFrom()
                    .withNewFieldRef()
                    .withFieldPath("metadata.labels['" + IndexedPods.INDEX + "']")
                    .endFieldRef()
                    .endValueFrom()
                    .build());
            container.setEnv(variables);
        }
    }

    private static void addFailures(Job job, Pod pod, @Nullable Pod replaced) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        annotations.put(IndexedPods.FAILURES, Integer.toString(failures(job, replaced)));
        int ignored = ignoredFailures(job, replaced);
        if (ignored > 0) {
            annotations.put(IndexedPods.IGNORED_FAILURES, Integer.toString(ignored));
        }
    }

    /** How many failures that count the index has had, including that of the replaced pod. */
    static int failures(Job job, @Nullable Pod replaced) {
        return replaced == null ? 0 : IndexedPods.failures(replaced) + (counts(job, replaced) ? 1 : 0);
    }

    static int ignoredFailures(Job job, @Nullable Pod replaced) {
        return replaced == null ? 0 : IndexedPods.ignoredFailures(replaced) + (counts(job, replaced) ? 0 : 1);
    }

    private static boolean counts(Job job, Pod failed) {
        return FailureMatch.of(job.getSpec().getPodFailurePolicy(), failed).counts();
    }
}
