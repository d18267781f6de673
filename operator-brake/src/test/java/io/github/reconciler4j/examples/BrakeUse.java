package io.github.reconciler4j.examples;

import io.github.reconciler4j.brake.BrakeOptions;
import io.github.reconciler4j.manager.ManagerOptions;

/** The options of a manager whose controllers may delete few objects. */
final class BrakeUse {

    private BrakeUse() {}

    static ManagerOptions withBrake(ManagerOptions options) {
        return options.withExtension(BrakeOptions.defaults()
                .withCoverage(BrakeOptions.Coverage.ALL)
                .withShare(0.2)
                .withMinimum(5));
    }
}
