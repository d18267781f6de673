package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The handler of errors gets what the cleaner has thrown, for a status that people read. */
class CleanupFailureTests {

    static Stream<Throwable> failures() {
        return Stream.of(
                new IOException("The bucket is not empty"),
                new IllegalStateException("The bucket is not empty", new IOException("status 409")),
                new TerminalException("The bucket belongs to another account"),
                new AssertionError("The bucket is not empty"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureOfTheOnlyCleanerIsReportedAsItWasThrown(Throwable failure) throws Exception {
        CompletableFuture<Exception> reported = new CompletableFuture<>();
        CompletableFuture<Boolean> reconciled = new CompletableFuture<>();
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(server.clientConfig())) {
            ControllerBuilder.of(Pod.class)
                    .reconciler((pod, context) -> {
                        reconciled.complete(true);
                        return Result.done();
                    })
                    .cleaner((pod, context) -> {
                        if (failure instanceof Error error) {
                            throw error;
                        }
                        throw (Exception) failure;
                    })
                    .errorStatusHandler((pod, error, context) -> reported.complete(error))
                    .addTo(manager);
            manager.start();
            Pod pod = manager.client().create(pod());
            assertThat(reconciled.get(60, TimeUnit.SECONDS)).isTrue();
            manager.client().delete(pod);

            Exception error = reported.get(60, TimeUnit.SECONDS);
            if (failure instanceof Error) {
                assertThat(error).isInstanceOf(ExecutionException.class).hasCause(failure);
            } else {
                assertThat(error).isSameAs(failure);
            }
        }
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .build();
    }
}
