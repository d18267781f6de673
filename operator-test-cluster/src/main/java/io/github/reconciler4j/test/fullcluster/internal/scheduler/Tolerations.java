package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether pods tolerate taints. Stateless. */
final class Tolerations {

    private static final Set<String> KEEP_AWAY = Set.of("NoSchedule", "NoExecute");

    private Tolerations() {}

    /** Return whether no taint keeps a pod with these tolerations away from a node. */
    static boolean admit(List<Taint> taints, List<Toleration> tolerations) {
        return taints.stream()
                .filter(taint -> KEEP_AWAY.contains(taint.getEffect()))
                .allMatch(taint -> tolerates(tolerations, taint));
    }

    /** Return whether one of the tolerations is for the taint. */
    static boolean tolerates(List<Toleration> tolerations, Taint taint) {
        return tolerations.stream().anyMatch(toleration -> isFor(toleration, taint));
    }

    private static boolean isFor(Toleration toleration, Taint taint) {
        String key = text(toleration.getKey());
        String effect = text(toleration.getEffect());
        if (!effect.isEmpty() && !effect.equals(taint.getEffect()) || !key.isEmpty() && !key.equals(taint.getKey())) {
            return false;
        }
        return switch (text(toleration.getOperator())) {
            case "Exists" -> true;
            case "", "Equal" -> !key.isEmpty() && Objects.equals(text(toleration.getValue()), text(taint.getValue()));
            case "Lt" -> compare(taint, toleration) < 0;
            case "Gt" -> compare(taint, toleration) > 0;
            default -> false;
        };
    }

    /** Compare the numbers of a taint and a toleration; 0 if one of them is no number. */
    private static int compare(Taint taint, Toleration toleration) {
        try {
            return Long.compare(Long.parseLong(text(taint.getValue())), Long.parseLong(text(toleration.getValue())));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
