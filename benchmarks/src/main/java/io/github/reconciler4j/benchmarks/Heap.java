package io.github.reconciler4j.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

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

    /** Says which classes have taken the heap. */
    static void reportClasses() throws IOException {
        try {
            String[] none = {};
            Object classes = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {none},
                            new String[] {String[].class.getName()});
            classes.toString().lines().limit(40).forEach(System.out::println);
        } catch (JMException e) {
            throw new IOException(e);
        }
    }
}
