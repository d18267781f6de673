package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controller.internal.VmFailures.VmFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VmFailuresTests {

    private final VmFailures failures = new VmFailures(false);

    @AfterEach
    void useFromAnotherThread() throws Exception {
        CompletableFuture.runAsync(failures::worst).get(60, TimeUnit.SECONDS); // no lock is left
        CompletableFuture.runAsync(() -> failures.record(new StackOverflowError()))
                .get(60, TimeUnit.SECONDS);
    }

    private void assertWorst(String name, boolean fatal) {
        VmFailure worst = failures.worst().orElseThrow();
        assertThat(worst.name()).isEqualTo(name);
        assertThat(worst.fatal()).isEqualTo(fatal);
    }

    @Test
    void failuresOfUserCodeDoNotCount() {
        failures.record(new IllegalStateException());
        failures.record(new AssertionError());
        assertThat(failures.worst()).isEmpty();
    }

    @Test
    void firstFatalErrorStays() {
        failures.record(new StackOverflowError());
        assertWorst("StackOverflowError", false);
        failures.record(new IllegalStateException(new OutOfMemoryError("not really")));
        assertWorst("OutOfMemoryError", true);
        failures.record(new InternalError());
        failures.record(new StackOverflowError());
        assertWorst("OutOfMemoryError", true);
    }

    @Test
    void latestErrorCountsIfNoneIsFatal() {
        failures.record(new StackOverflowError());
        VmFailure first = failures.worst().orElseThrow();
        failures.record(new StackOverflowError());
        assertThat(failures.worst().orElseThrow()).isNotSameAs(first);
    }

    @Test
    void everyErrorIsFatalIfAsked() {
        VmFailures strict = new VmFailures(true);
        strict.record(new IllegalStateException());
        assertThat(strict.worst()).isEmpty();
        strict.record(new StackOverflowError());
        assertThat(strict.worst().orElseThrow().fatal()).isTrue();
        strict.record(new AssertionError());
        assertThat(strict.worst().orElseThrow().name()).isEqualTo("StackOverflowError");
    }
}
