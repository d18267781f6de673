package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Waits until a kube-apiserver that is starting is ready. */
final class Readiness {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long PAUSE_MILLIS = 100;

    private Readiness() {}

    /**
     * Waits two minutes at most.
     *
     * @param certificate the file in which the server writes its certificate
     * @param processes what has to run meanwhile
     * @throws IllegalStateException with the last words of the processes, which have been ended, if one ends or it takes
     *     too long
     */
    static void await(Config config, Path certificate, List<ChildProcess> processes) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!Files.exists(certificate)) {
            check(processes, deadline);
        }
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            while (!isReady(client)) {
                check(processes, deadline);
            }
        }
    }

    private static boolean isReady(KubernetesClient client) {
        try {
            return "ok".equals(client.raw("/readyz"));
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private static void check(List<ChildProcess> processes, long deadline) {
        boolean ended = processes.stream().anyMatch(process -> !process.isAlive());
        if (ended || System.nanoTime() - deadline >= 0) {
            String words = processes.stream().map(ChildProcess::lastWords).collect(Collectors.joining("\n"));
            processes.forEach(ChildProcess::end);
            throw new IllegalStateException(
                    "The API server " + (ended ? "ended at once" : "was not ready within " + LONGEST) + "; " + words);
        }
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            processes.forEach(ChildProcess::end);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the API server starts", e);
        }
    }
}
