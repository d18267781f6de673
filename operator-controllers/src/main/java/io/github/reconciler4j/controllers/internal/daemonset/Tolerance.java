package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The taints that the pods of DaemonSets tolerate: those of the template, and conditions of nodes that daemons run with. */
final class Tolerance {

    private static final String PREFIX = "node.kubernetes.io/";

    private Tolerance() {}

    /** Return the tolerations of a daemon pod. */
    static List<Toleration> of(PodSpec spec) {
        List<Toleration> tolerations = new ArrayList<>(spec.getTolerations());
        add(tolerations, "not-ready", "NoExecute");
        add(tolerations, "unreachable", "NoExecute");
        add(tolerations, "disk-pressure", "NoSchedule");
        add(tolerations, "memory-pressure", "NoSchedule");
        add(tolerations, "pid-pressure", "NoSchedule");
        add(tolerations, "unschedulable", "NoSchedule");
        if (Boolean.TRUE.equals(spec.getHostNetwork())) {
            add(tolerations, "network-unavailable", "NoSchedule");
        }
        return tolerations;
    }

    /** Tolerate without an end, also where the template says how long. */
    private static void add(List<Toleration> tolerations, String key, String effect) {
        Toleration added = new TolerationBuilder()
                .withKey(PREFIX + key)
                .withOperator("Exists")
                .withEffect(effect)
                .build();
        boolean found = false;
        for (int i = 0; i < tolerations.size(); i++) {
            if (isSame(tolerations.get(i), added)) {
                tolerations.set(i, added);
                found = true;
            }
        }
        if (!found) {
            tolerations.add(added);
        }
    }

    private static boolean isSame(Toleration a, Toleration b) {
        return text(a.getKey()).equals(text(b.getKey()))
                && text(a.getEffect()).equals(text(b.getEffect()))
                && text(a.getOperator()).equals(text(b.getOperator()))
                && text(a.getValue()).equals(text(b.getValue()));
    }

    /** Return whether all taints with one of these effects are tolerated. */
    static boolean covers(List<Toleration> tolerations, List<Taint> taints, Set<String> effects) {
        return taints.stream()
                .filter(taint -> effects.contains(taint.getEffect()))
                .allMatch(taint -> tolerations.stream().anyMatch(toleration -> tolerates(toleration, taint)));
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        return isEmptyOr(toleration.getEffect(), taint.getEffect())
                && isEmptyOr(toleration.getKey(), taint.getKey())
                && switch (text(toleration.getOperator())) {
                    case "", "Equal" -> text(toleration.getValue()).equals(text(taint.getValue()));
                    case "Exists" -> true;
                    default -> false;
                };
    }

    private static boolean isEmptyOr(@Nullable String wanted, @Nullable String value) {
        return text(wanted).isEmpty() || Objects.equals(wanted, value);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
