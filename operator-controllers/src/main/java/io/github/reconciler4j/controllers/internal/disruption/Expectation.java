package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.function.IntSupplier;

/**
 * How many pods a budget asks for.
 *
 * @param pods how many pods there should be
 * @param healthy how many of them should be healthy at least
 */
record Expectation(int pods, int healthy) {

    /**
     * Decide by {@code maxUnavailable} or {@code minAvailable}.
     *
     * @param present how many pods there are
     * @param scale returns how many pods their controllers ask for; called only if the budget depends on that
     * @throws IllegalArgumentException if the budget is not valid
     */
    static Expectation of(PodDisruptionBudget budget, int present, IntSupplier scale) {
        IntOrString maxUnavailable = budget.getSpec().getMaxUnavailable();
        if (maxUnavailable != null) {
            int expected = scale.getAsInt();
            return new Expectation(expected, Math.max(0, expected - scaled(maxUnavailable, expected)));
        }
        IntOrString minAvailable = budget.getSpec().getMinAvailable();
        if (minAvailable == null) {
            return new Expectation(0, 0);
        }
        if (minAvailable.getStrVal() == null) {
            return new Expectation(present, minAvailable.getIntVal());
        }
        int expected = scale.getAsInt();
        return new Expectation(expected, scaled(minAvailable, expected));
    }

    /** A percentage of a total is rounded up. */
    private static int scaled(IntOrString value, int total) {
        String text = value.getStrVal();
        if (text == null) {
            return value.getIntVal();
        }
        if (!text.matches("[+-]?[0-9]{1,9}%")) {
            throw new IllegalArgumentException("invalid value for IntOrString: \"" + text + "\" is not a percentage");
        }
        return (int) Math.ceil(Long.parseLong(text.substring(0, text.length() - 1)) * (double) total / 100);
    }
}
