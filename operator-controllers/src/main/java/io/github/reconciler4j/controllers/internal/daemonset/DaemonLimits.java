package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDaemonSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import org.jspecify.annotations.Nullable;

/**
 * How many pods a rolling update may add, and how many nodes may be without a pod that serves.
 *
 * @param maxSurge pods beside old ones
 * @param maxUnavailable nodes
 */
record DaemonLimits(int maxSurge, int maxUnavailable) {

    /** Return the limits for a number of nodes; there is always one that lets the update make progress. */
    static DaemonLimits of(DaemonSet set, int nodes) {
        int surge = surge(set, nodes);
        int unavailable = unavailable(set, nodes);
        return new DaemonLimits(surge, nodes > 0 && surge == 0 && unavailable == 0 ? 1 : unavailable);
    }

    static int surge(DaemonSet set, int nodes) {
        RollingUpdateDaemonSet settings = settings(set);
        return settings == null ? 0 : roundedUp(settings.getMaxSurge(), nodes);
    }

    static int unavailable(DaemonSet set, int nodes) {
        RollingUpdateDaemonSet settings = settings(set);
        return settings == null ? 0 : roundedUp(settings.getMaxUnavailable(), nodes);
    }

    /** Return whether there may be two pods on a node. */
    static boolean allowSurge(DaemonSet set) {
        return surge(set, 1) > 0;
    }

    static boolean isRollingUpdate(DaemonSet set) {
        return set.getSpec().getUpdateStrategy() != null
                && "RollingUpdate".equals(set.getSpec().getUpdateStrategy().getType());
    }

    private static @Nullable RollingUpdateDaemonSet settings(DaemonSet set) {
        return isRollingUpdate(set) ? set.getSpec().getUpdateStrategy().getRollingUpdate() : null;
    }

    private static int roundedUp(@Nullable IntOrString amount, int all) {
        if (amount == null || amount.getStrVal() == null) {
            return amount == null ? 0 : Numbers.orZero(amount.getIntVal());
        }
        String text = amount.getStrVal();
        if (!text.matches("\\d{1,9}%")) {
            throw new IllegalArgumentException("A limit must be a number or a percentage, was '" + text + "'");
        }
        long percent = Long.parseLong(text.substring(0, text.length() - 1));
        return (int) ((percent * all + 99) / 100);
    }
}
