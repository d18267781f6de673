package io.github.reconciler4j.spring.autoconfigure;

import static io.github.reconciler4j.spring.autoconfigure.OperatorConfigurationException.set;

import io.github.reconciler4j.brake.BrakeOptions;
import io.github.reconciler4j.manager.ManagerOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The brake, which stops a controller that deletes too much.
 *
 * @param coverage Deletions that are counted.
 * @param share Share of the cached objects of a kind that a controller may delete in a window.
 * @param minimum Number of objects of a kind that a controller may always delete in a window.
 * @param window Time in which deletions are counted.
 */
record BrakeProperties(
        @DefaultValue("object-sets") BrakeOptions.Coverage coverage,
        @DefaultValue("0.5") double share,
        @DefaultValue("10") int minimum,
        @DefaultValue("1m") Duration window) {

    private static final String PREFIX = OperatorProperties.PREFIX + ".brake.";

    ManagerOptions applyTo(ManagerOptions before) {
        BrakeOptions options = BrakeOptions.of(before).withCoverage(coverage);
        options = set(PREFIX + "share", options, share, BrakeOptions::withShare);
        options = set(PREFIX + "minimum", options, minimum, BrakeOptions::withMinimum);
        return before.withExtension(set(PREFIX + "window", options, window, BrakeOptions::withWindow));
    }
}
