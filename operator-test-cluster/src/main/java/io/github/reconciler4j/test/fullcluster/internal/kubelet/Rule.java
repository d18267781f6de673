package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A rule about how the containers of some pods behave. Safe for use by many threads. */
public final class Rule {

    private final Which which;
    private final UnaryOperator<Behavior> effect;
    private final @Nullable String log;
    private final Set<String> pods = new HashSet<>();

    /**
     * The containers that a rule is about.
     *
     * @param namespace the namespace of the pods, empty for all
     * @param labels the labels that pods have
     * @param image the image, with {@code *} for any text; empty for all images, but not for init containers
     * @param first for how many pods the rule applies
     */
    public record Which(String namespace, Map<String, String> labels, String image, int first) {

        /** All containers but init containers. */
        public static final Which ALL = new Which("", Map.of(), "", Integer.MAX_VALUE);
    }

    private Rule(Which which, UnaryOperator<Behavior> effect, @Nullable String log) {
        this.which = which;
        this.effect = effect;
        this.log = log;
    }

    /** Let images not be found, or be found again. */
    public static Rule pull(Which which, boolean works) {
        return new Rule(which, behavior -> behavior.withPullable(works), null);
    }

    /** Let containers end as soon as they run, or run on for null. */
    public static Rule exit(Which which, @Nullable Integer code) {
        return new Rule(which, behavior -> behavior.withPullable(true).withExitCode(code), null);
    }

    /** Let containers be ready while they run, or not. */
    public static Rule ready(Which which, boolean isReady) {
        return new Rule(which, behavior -> behavior.withReady(isReady), null);
    }

    /** Let containers run on after the pod is deleted until its grace period is over. */
    public static Rule ignoreTermination(Which which) {
        return new Rule(which, behavior -> behavior.withIgnoresTermination(true), null);
    }

    /** Let containers have written a text. */
    public static Rule log(Which which, String text) {
        return new Rule(which, UnaryOperator.identity(), text);
    }

    Behavior apply(ContainerPlace place, Behavior behavior) {
        return matches(place) ? effect.apply(behavior) : behavior;
    }

    /** Return what a container has written, {@code other} if this rule does not say it. */
    String log(ContainerPlace place, String other) {
        return log != null && matches(place) ? log : other;
    }

    private boolean matches(ContainerPlace place) {
        Map<String, String> labels = place.pod().getMetadata().getLabels();
        return (which.namespace().isEmpty()
                        || which.namespace().equals(place.pod().getMetadata().getNamespace()))
                && (which.labels().isEmpty()
                        || labels != null
                                && labels.entrySet().containsAll(which.labels().entrySet()))
                && (which.image().isEmpty() ? !place.isInit() : isLike(place.image(), which.image()))
                && isOneOfTheFirst(place.pod().getMetadata().getUid());
    }

    private static boolean isLike(String image, String pattern) {
        String[] parts = pattern.split("\\*", -1);
        int at = parts[0].length();
        if (!image.startsWith(parts[0])) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            boolean isLast = i == parts.length - 1;
            int found = isLast ? image.length() - parts[i].length() : image.indexOf(parts[i], at);
            if (found < at || !image.startsWith(parts[i], found)) {
                return false;
            }
            at = found + parts[i].length();
        }
        return at == image.length();
    }

    private boolean isOneOfTheFirst(String uid) {
        if (which.first() == Integer.MAX_VALUE) {
            return true;
        }
        synchronized (pods) {
            return pods.contains(uid) || pods.size() < which.first() && pods.add(uid);
        }
    }
}
