package io.github.reconciler4j.manager;

import io.github.reconciler4j.workqueue.RequestGate;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * How several processes divide the work of a manager into numbered parts, if a module such as {@code reconciler4j-sharding} does so; see
 * {@link ManagerOptions#division}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface WorkDivision {

    /** Return the number of parts. */
    int parts();

    /** Return the part to which the work in a cluster belongs: the same in all processes. Empty if clusters are not divided. */
    OptionalInt partOf(String cluster);

    /**
     * Create the gate of a controller that is added to the manager later.
     *
     * @param controller the name of the controller
     * @param partOf returns the part of a request; empty if it belongs to none, which drops it. Called by many threads.
     * @param ready returns whether the cache has all objects that the controller watches
     */
    <R> RequestGate<R> gate(String controller, Function<? super R, OptionalInt> partOf, BooleanSupplier ready);
}
