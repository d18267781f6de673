package io.github.reconciler4j.test.fullcluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.Fates;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.Rule;

/**
 * Controls the pods of a {@link FullCluster}: one pod at once, or all pods that a rule selects, also those that are
 * created later.
 *
 * <!-- snippet: ClusterUseTests -->
 * <pre>{@code
 * cluster.pods().fail(pod, 3);
 * cluster.pods().withImage("example.com/web:broken").failToPull();
 * cluster.pods().withLabel("job-name", "backup").first(2).fail(1);
 * }</pre>
 *
 * <p>Without a rule, the containers of a pod become ready and run, those of Jobs and init containers complete with exit code 0, and
 * images below {@code missing.example/} cannot be pulled. A later rule wins over an earlier one. All methods return at once; wait
 * for the effect with an expectation. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
public final class ClusterPods {

    private final Fates fates;

    ClusterPods(Fates fates) {
        this.fates = fates;
    }

    /**
     * Let the running containers of a pod end with exit code 0, those that have not started as soon as they run. With
     * {@code restartPolicy: Always} they are restarted.
     */
    public void complete(Pod pod) {
        fail(pod, 0);
    }

    /**
     * Let the running containers of a pod end with an exit code, those that have not started as soon as they run. They are restarted
     * as the {@code restartPolicy} says.
     */
    public void fail(Pod pod, int exitCode) {
        fates.exit(pod, exitCode);
    }

    /** Let the running containers of a pod be ready, or not, until this is called again. */
    public void setReady(Pod pod, boolean ready) {
        fates.ready(pod, ready);
    }

    /** Set the text that {@code kubectl logs} shows for all containers of a pod. */
    public void setLog(Pod pod, String text) {
        fates.log(pod, text);
    }

    /** Start a rule about all pods. */
    public PodRule all() {
        return new PodRule(fates, Rule.Which.ALL);
    }

    /**
     * Start a rule about containers with an image, init containers too.
     *
     * @param image the image; {@code *} stands for any text
     */
    public PodRule withImage(String image) {
        return all().withImage(image);
    }

    /** Start a rule about pods with a label. */
    public PodRule withLabel(String key, String value) {
        return all().withLabel(key, value);
    }

    /** Start a rule about the pods of a namespace. */
    public PodRule inNamespace(String namespace) {
        return all().inNamespace(namespace);
    }

    /** End all rules. */
    public void clear() {
        fates.clear();
    }
}
