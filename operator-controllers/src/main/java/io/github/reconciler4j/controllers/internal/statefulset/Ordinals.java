package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers of a StatefulSet's pods, and the names that are made of them. */
final class Ordinals {

    /** The ordinal of a pod whose name has none. */
    static final int NONE = -1;

    private static final Pattern NAME = Pattern.compile("(.*)-([0-9]+)");

    private Ordinals() {}

    /** Return the name of the StatefulSet in the name of a pod, an empty text without one. */
    static String parent(Pod pod) {
        Matcher name = NAME.matcher(pod.getMetadata().getName());
        return name.matches() ? name.group(1) : "";
    }

    /** Return the ordinal of a pod. */
    static int of(Pod pod) {
        Matcher name = NAME.matcher(pod.getMetadata().getName());
        try {
            return name.matches() ? Integer.parseInt(name.group(2)) : NONE;
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    /** Return whether a pod has a name as the pods of this StatefulSet have. */
    static boolean isMember(StatefulSet set, Pod pod) {
        return parent(pod).equals(set.getMetadata().getName());
    }

    /** Return the first ordinal of a StatefulSet. */
    static int start(StatefulSet set) {
        return set.getSpec().getOrdinals() == null
                ? 0
                : Numbers.orZero(set.getSpec().getOrdinals().getStart());
    }

    /** Return how many pods a StatefulSet asks for. */
    static int replicas(StatefulSet set) {
        return Numbers.orZero(set.getSpec().getReplicas());
    }

    /** Return whether a pod has an ordinal that its StatefulSet asks for. */
    static boolean contains(StatefulSet set, Pod pod) {
        int index = of(pod) - start(set);
        return of(pod) != NONE && index >= 0 && index < replicas(set);
    }

    static String podName(StatefulSet set, int ordinal) {
        return set.getMetadata().getName() + "-" + ordinal;
    }

    static String claimName(StatefulSet set, String template, int ordinal) {
        return template + "-" + podName(set, ordinal);
    }
}
