package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDeployment;
import org.jspecify.annotations.Nullable;

/**
 * How far a rollout may deviate from the desired number of pods.
 *
 * @param maxSurge how many pods there may be above the desired number
 * @param maxUnavailable how many of the desired number may be unavailable
 */
record RolloutLimits(int maxSurge, int maxUnavailable) {

    private static final RolloutLimits NONE = new RolloutLimits(0, 0);

    /** Return the limits of a deployment. Both are zero unless it is a rolling update. */
    static RolloutLimits of(Deployment deployment) {
        if (!ReplicaSets.isRollingUpdate(deployment)) {
            return NONE;
        }
        int desired = ReplicaSets.desired(deployment);
        RollingUpdateDeployment settings = deployment.getSpec().getStrategy().getRollingUpdate();
        RolloutLimits limits;
        try {
            limits = settings == null
                    ? resolve(null, null, desired)
                    : resolve(settings.getMaxSurge(), settings.getMaxUnavailable(), desired);
        } catch (IllegalArgumentException e) {
            return NONE; // the API server refuses such settings
        }
        return new RolloutLimits(limits.maxSurge, Math.min(limits.maxUnavailable, desired));
    }

    /**
     * Turn percentages into numbers of pods: the surge is rounded up, the unavailable ones are rounded down. If both are
     * zero, one may be unavailable, as the rollout would not get anywhere otherwise.
     *
     * @throws IllegalArgumentException if one of them is neither a number nor a percentage
     */
    static RolloutLimits resolve(@Nullable IntOrString maxSurge, @Nullable IntOrString maxUnavailable, int desired) {
        int surge = (int) Math.ceil(scaled(maxSurge, desired));
        int unavailable = (int) Math.floor(scaled(maxUnavailable, desired));
        return new RolloutLimits(surge, surge == 0 && unavailable == 0 ? 1 : unavailable);
    }

    private static double scaled(@Nullable IntOrString value, int total) {
        if (value == null) {
            return 0;
        }
        if (value.getIntVal() != null) {
            return value.getIntVal();
        }
        String text = value.getStrVal();
        if (!text.matches("[+-]?\\d+%")) {
            throw new IllegalArgumentException("'" + text + "' is neither a number nor a percentage");
        }
        return (double) Integer.parseInt(text.substring(0, text.length() - 1)) * total / 100;
    }
}
