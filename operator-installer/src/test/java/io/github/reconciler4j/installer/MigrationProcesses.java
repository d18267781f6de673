package io.github.reconciler4j.installer;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.ReplicaProcess;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the operators of a history as processes, each of which is killed in the end. */
final class MigrationProcesses implements MigrationHistory.Life {

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(20);

    /** An operator whose objects are refused tries again and again. */
    private static final int MAX_REQUESTS = 60;

    private static final AtomicInteger STARTED = new AtomicInteger();

    private final RealKubernetes kubernetes;
    private final String user;

    MigrationProcesses(RealKubernetes kubernetes, String user) {
        this.kubernetes = kubernetes;
        this.user = user;
    }

    @Override
    public boolean run(
            MigrationHistory history, int release, CustomResourceDefinition definition, MigrationReplica replica) {
        try {
            return start(history, release, definition, replica);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private boolean start(
            MigrationHistory history, int release, CustomResourceDefinition definition, MigrationReplica replica)
            throws IOException, InterruptedException {
        String identity = history.group() + "-" + STARTED.incrementAndGet();
        Path file = Files.createDirectories(Path.of("target")).resolve(identity + ".yaml");
        Files.writeString(file, new KubernetesSerialization().asYaml(definition));
        ReplicaProcess process = new ReplicaProcess(MigratingOperator.class, kubernetes.server());
        process.start(identity, kubernetes.kubeconfig(user).toString(), file.toString(), release + ".0");
        boolean isDone = false;
        try {
            int last = replica.lastRequest() == 0 ? MAX_REQUESTS : replica.lastRequest();
            for (int request = 1; request <= last && process.isAlive() && !isDone; request++) {
                isDone = isDoneBefore(request, process, history, definition);
                if (request > 1 && !isDone && requests(process) < request) {
                    break; // it waits longer and longer, as an old release does that finds a newer one
                }
                replica.disturb(request);
            }
            history.ended(process.isAlive(), isDone ? "after it has migrated the objects" : "");
        } finally {
            process.close();
        }
        Files.delete(file);
        Files.delete(process.log());
        return isDone;
    }

    /** Waits for a request of the process, its end, or the end of the migration, which is returned. */
    private static boolean isDoneBefore(
            int request, ReplicaProcess process, MigrationHistory history, CustomResourceDefinition definition) {
        boolean[] done = {false};
        long end = System.nanoTime() + QUIET.toNanos();
        await(process.identity() + " sends request " + request)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(LONG)
                .ignoreExceptionsInstanceOf(ApiException.class)
                .until(() -> {
                    boolean isQuiet = request > 1 && System.nanoTime() - end > 0;
                    if (isQuiet || requests(process) >= request || !process.isAlive()) {
                        return true;
                    }
                    done[0] = isDone(history, definition);
                    return done[0];
                });
        return done[0];
    }

    private static long requests(ReplicaProcess process) throws IOException {
        try (var lines = Files.lines(process.log())) {
            return lines.filter(line -> line.startsWith(MigratingOperator.REQUEST))
                    .count();
        }
    }

    /** What comes next writes objects, so the API server has to serve them, which takes longer than the conditions say. */
    private static boolean isDone(MigrationHistory history, CustomResourceDefinition definition) {
        Discovery discovery = history.admin().discovery();
        discovery.forget();
        boolean served = names(definition).stream()
                .allMatch(version -> discovery.serves(KindName.of(history.group() + "/" + version, "Widget")));
        return served && isMigrated(history, definition);
    }

    private static boolean isMigrated(MigrationHistory history, CustomResourceDefinition definition) {
        return MigrationEdit.definition(history.admin(), history.name())
                .filter(live -> DefinitionState.notEstablished(live).isEmpty())
                .filter(live -> names(live).equals(names(definition))
                        && DefinitionState.storedVersions(live).equals(names(definition)))
                .isPresent();
    }

    private static List<String> names(CustomResourceDefinition definition) {
        return definition.getSpec().getVersions().stream()
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
    }
}
