package io.github.reconciler4j.test.fullcluster;

import io.github.reconciler4j.test.fullcluster.internal.kubelet.Fates;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.Rule;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.Rule.Which;
import java.util.HashMap;
import java.util.Map;

/**
 * A rule about pods that is being written: first which pods, then what happens to them. The rule applies from the second on. All
 * conditions must hold. Without {@link #withImage} it is about all containers except init containers. Immutable.
 *
 * <!-- snippet: ClusterUseTests -->
 * <pre>{@code
 * PodRule web = cluster.pods().inNamespace("default").withLabel("app", "web");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class PodRule {

    private final Fates fates;
    private final Which which;

    PodRule(Fates fates, Which which) {
        this.fates = fates;
        this.which = which;
    }

    /**
     * Select containers with an image, init containers too.
     *
     * @param image the image; {@code *} stands for any text
     */
    public PodRule withImage(String image) {
        return new PodRule(fates, new Which(which.namespace(), which.labels(), image, which.first()));
    }

    /** Select pods with a label. */
    public PodRule withLabel(String key, String value) {
        Map<String, String> labels = new HashMap<>(which.labels());
        labels.put(key, value);
        return new PodRule(fates, new Which(which.namespace(), Map.copyOf(labels), which.image(), which.first()));
    }

    /** Select pods of a namespace. */
    public PodRule inNamespace(String namespace) {
        return new PodRule(fates, new Which(namespace, which.labels(), which.image(), which.first()));
    }

    /**
     * Select only the first pods that fit.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public PodRule first(int pods) {
        if (pods < 1) {
            throw new IllegalArgumentException("'first' must be positive, was " + pods);
        }
        return new PodRule(fates, new Which(which.namespace(), which.labels(), which.image(), pods));
    }

    /** Let the image not be found: the containers wait with {@code ErrImagePull}, then {@code ImagePullBackOff}. */
    public ActiveRule failToPull() {
        return add(Rule.pull(which, false));
    }

    /** Let the containers start and keep running, for example those of a Job. */
    public ActiveRule run() {
        return add(Rule.exit(which, null));
    }

    /** Let the containers end with exit code 0 as soon as they have started. */
    public ActiveRule complete() {
        return add(Rule.exit(which, 0));
    }

    /**
     * Let the containers end with an exit code as soon as they have started. Where the {@code restartPolicy} restarts them, they get
     * into {@code CrashLoopBackOff}.
     */
    public ActiveRule fail(int exitCode) {
        return add(Rule.exit(which, exitCode));
    }

    /** Let the containers run without becoming ready, as with a readiness probe that fails. */
    public ActiveRule stayUnready() {
        return add(Rule.ready(which, false));
    }

    /** Let the containers of deleted pods run until the grace period is over. */
    public ActiveRule ignoreTermination() {
        return add(Rule.ignoreTermination(which));
    }

    /** Set the text that {@code kubectl logs} shows for the containers. */
    public ActiveRule log(String text) {
        return add(Rule.log(which, text));
    }

    private ActiveRule add(Rule rule) {
        fates.add(rule);
        return () -> fates.remove(rule);
    }
}
