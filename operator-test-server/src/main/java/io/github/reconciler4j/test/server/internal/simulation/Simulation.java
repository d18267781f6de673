package io.github.reconciler4j.test.server.internal.simulation;

import io.github.reconciler4j.test.server.internal.storage.ObjectName;

/** Brings what belongs to one object into the state it should have; called again after each change. */
@FunctionalInterface
interface Simulation {
    void sync(ObjectName name);
}
