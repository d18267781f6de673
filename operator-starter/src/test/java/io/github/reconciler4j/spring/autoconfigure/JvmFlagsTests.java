package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fabric8.kubernetes.client.Config;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class JvmFlagsTests {

    private static final List<String> SERIAL = List.of("Copy", "MarkSweepCompact");
    private static final List<String> G1 = List.of("G1 Young Generation", "G1 Old Generation");

    @AfterEach
    void leavePod() {
        System.clearProperty(Config.KUBERNETES_SERVICE_HOST_PROPERTY);
    }

    @Test
    void missingWhenNoneIsSetAreThoseOfTheImage() {
        assertThat(JvmFlags.missing(List.of("-Xmx1g"), G1, 25))
                .containsExactly("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:AOTCache");
        assertThat(JvmFlags.missing(List.of(), G1, 21))
                .containsExactly("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:SharedArchiveFile");
    }

    @Test
    void missingWhenAllAreSetAreNone() {
        assertThat(JvmFlags.missing(
                        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:AOTCache=a.aot"), SERIAL, 25))
                .isEmpty();
    }

    @Test
    void missingWhenOthersAreChosenAreNotNamed() {
        assertThat(JvmFlags.missing(
                        List.of("-XX:TieredStopAtLevel=4", "-XX:+UseZGC", "-XX:SharedArchiveFile=a.jsa"), G1, 25))
                .isEmpty();
    }

    @Test
    void missingWhenTheJvmChoosesTheSerialCollectorDoesNotHaveIt() {
        assertThat(JvmFlags.missing(List.of(), SERIAL, 25)).containsExactly("-XX:TieredStopAtLevel=1", "-XX:AOTCache");
    }

    @Test
    void reportIsOneLineInAPodAndNoneOutsideOfOne() {
        Logger logger = (Logger) LoggerFactory.getLogger(JvmFlags.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            JvmFlags.report();
            assertThat(lines.list).isEmpty();

            System.setProperty(Config.KUBERNETES_SERVICE_HOST_PROPERTY, "10.0.0.1");
            JvmFlags.report();
            assertThat(lines.list)
                    .singleElement()
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .asString()
                    .startsWith("The JVM runs without -XX:")
                    .endsWith("(R4J-330)");
        } finally {
            logger.setLevel(null);
            logger.detachAppender(lines);
        }
    }
}
