package io.github.reconciler4j.test.internal.standin;

import io.github.reconciler4j.test.internal.storage.ObjectName;

/** Brings what belongs to one object into the state it should have; called again after each change. */
@FunctionalInterface
interface Work {
    void sync(ObjectName name);
}
