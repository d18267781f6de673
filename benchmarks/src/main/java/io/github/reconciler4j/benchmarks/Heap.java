package io.github.reconciler4j.benchmarks;

import java.lang.management.ManagementFactory;

/** What is in use after the collector has run. */
final class Heap {
    private static final int COLLECTIONS = 3;

    private Heap() {}

    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
