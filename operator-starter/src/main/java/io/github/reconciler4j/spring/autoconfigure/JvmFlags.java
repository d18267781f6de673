package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NativeDetector;

/** Says in one line which of the flags of the image the JVM of a pod lacks. A flag with another value counts as chosen. */
final class JvmFlags {

    private static final Logger LOG = LoggerFactory.getLogger(JvmFlags.class);
    private static final String SERIAL = "Copy";

    private JvmFlags() {}

    /** Log what is missing, if this is a JVM in a pod. */
    static void report() {
        if (NativeDetector.inNativeImage()
                || Utils.isNullOrEmpty(Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_SERVICE_HOST_PROPERTY))) {
            return;
        }
        List<String> missing = missing(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(MemoryManagerMXBean::getName)
                        .toList(),
                Runtime.version().feature());
        if (!missing.isEmpty()) {
            LOG.info(
                    "The JVM runs without {}. Its starts take up to four times the processor time. Set the flags as the generated"
                            + " chart and image do (R4J-330)",
                    String.join(", ", missing));
        }
    }

    /**
     * Return the missing flags.
     *
     * @param arguments the arguments of the JVM
     * @param collectors the names of its garbage collectors
     * @param version its feature version
     */
    static List<String> missing(List<String> arguments, List<String> collectors, int version) {
        List<String> missing = new ArrayList<>();
        if (hasNone(arguments, "-XX:TieredStopAtLevel=")) {
            missing.add("-XX:TieredStopAtLevel=1");
        }
        boolean isChosen = arguments.stream().anyMatch(argument -> argument.matches("-XX:\\+Use\\w+GC"));
        if (!isChosen && !collectors.contains(SERIAL)) {
            missing.add("-XX:+UseSerialGC");
        }
        if (hasNone(arguments, "-XX:AOTCache=") && hasNone(arguments, "-XX:SharedArchiveFile=")) {
            missing.add(version >= 25 ? "-XX:AOTCache" : "-XX:SharedArchiveFile");
        }
        return missing;
    }

    private static boolean hasNone(List<String> arguments, String prefix) {
        return arguments.stream().noneMatch(argument -> argument.startsWith(prefix));
    }
}
