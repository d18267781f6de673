package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The promises about the control of single objects, verified against the API server inside the JVM. */
class ObjectControlOnTestServerTests extends ControllerTestServerFixture implements ObjectControlPromises {

    /** The reconciliation has failed for another reason, which is what counts. */
    @Test
    void conditionOfExhaustedAttemptsWhenItCannotBeWrittenChangesNothingElse() {
        server.faults()
                .add(FaultRule.of(
                        RequestMatch.verbs("patch", "update").kind("widgets").subresource("status"),
                        Fault.forbidden()));
        try (CapturedLog log = CapturedLog.of(Controller.class.getName())) {
            Controller<?> controller = sized().customizeOptions(
                            options -> options.withBackoff(Duration.ofMillis(1), Duration.ofMillis(5))
                                    .withMaxAttempts(2))
                    .addTo(manager());
            start();
            client().create(Widget.of(namespace(), "a", -1));
            eventually("waits", () -> controller.operations().stalledCount() == 1);
            assertThat(seen()).containsExactly("a-1", "a-1!");
            assertThat(stalled("a")).isEmpty();
            eventually("event", () -> hasEvent("a", "AttemptsExhausted"));
            List<String> lines = log.lines(Level.WARN);
            assertThat(lines)
                    .filteredOn(line -> line.contains("The size is negative"))
                    .isNotEmpty();
            assertThat(lines)
                    .filteredOn(line ->
                            line.contains("The condition Stalled of " + namespace() + "/a could not be written"))
                    .hasSize(1);
            resize("a", 5);
            eventually("recovered", () -> controller.operations().stalledCount() == 0);
        }
    }
}
