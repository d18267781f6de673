package io.github.reconciler4j.client.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Which of the cipher suites that are enabled anyway is offered first. AES with GCM is fast only in code of the second
 * compiler. In a JVM without it 1 MB takes 20 ms of processor time, with ChaCha20 5 ms.
 */
final class CipherOrder {

    private CipherOrder() {}

    /** The order for this JVM. */
    static String[] of(String[] enabled) {
        return of(enabled, System.getProperty("java.vm.info", ""));
    }

    /**
     * The order for a JVM.
     *
     * @param mode its {@code java.vm.info}, which calls the first compiler alone an emulated client
     */
    static String[] of(String[] enabled, String mode) {
        if (!mode.contains("emulated-client") && !mode.contains("interpreted")) {
            return enabled;
        }
        List<String> ordered = new ArrayList<>(enabled.length);
        addAll(enabled, true, ordered);
        addAll(enabled, false, ordered);
        return ordered.toArray(new String[0]);
    }

    private static void addAll(String[] enabled, boolean chaCha, List<String> to) {
        for (String suite : enabled) {
            if (suite.contains("CHACHA20") == chaCha) {
                to.add(suite);
            }
        }
    }
}
