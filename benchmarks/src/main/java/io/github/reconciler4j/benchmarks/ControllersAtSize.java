package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * A large cluster for all controllers, and what it costs them: Deployments with pods, dependents of a deleted owner, a namespace
 * with objects. Arguments: a kubeconfig, the audit log of the API server, the user agent of the controllers' process, its id, the
 * number of Deployments, of pods, of dependents and of objects in the namespace.
 */
final class ControllersAtSize {

    private static final String NAMESPACE = "load";
    private static final Duration TIME_LIMIT = Duration.ofMinutes(60);

    private final ControllersCluster cluster;
    private final ManyObjects objects;
    private final AuditLog audit;
    private final ProcessCost process;
    private final int deployments;
    private final int replicas;

    private ControllersAtSize(
            ApiConnection connection, AuditLog audit, ProcessCost process, int deployments, int replicas) {
        this.cluster = new ControllersCluster(connection, 1);
        this.objects = new ManyObjects(connection);
        this.audit = audit;
        this.process = process;
        this.deployments = deployments;
        this.replicas = replicas;
    }

    /** Run it. */
    public static void main(String[] arguments) throws Exception {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        int deployments = Integer.parseInt(arguments[4]);
        try (ApiConnection connection = ApiConnection.open(config, ConnectionOptions.defaults())) {
            new ControllersAtSize(
                            connection,
                            new AuditLog(Path.of(arguments[1]), arguments[2]),
                            new ProcessCost(Long.parseLong(arguments[3])),
                            deployments,
                            Math.max(1, Integer.parseInt(arguments[5]) / deployments))
                    .run(Integer.parseInt(arguments[6]), Integer.parseInt(arguments[7]));
        }
    }

    private void run(int dependents, int content) throws Exception {
        awaitControllers();
        System.out.printf(
                Locale.ROOT, "| idle | | %.1f | | | %d |%n", process.processorSeconds(), process.peakMemory());
        audit.next();
        measure(
                deployments + " Deployments, " + deployments * replicas + " pods",
                () -> cluster.createDeployments(deployments, replicas),
                this::areAvailable);
        measure("their image is changed", () -> cluster.setImages(deployments, "app:2"), this::areAvailable);
        measure(
                "they are deleted",
                () -> cluster.deleteAll(deployments, 0),
                () -> cluster.list("/apis/apps/v1", "replicasets").isEmpty()
                        && cluster.list("/api/v1", "pods").isEmpty());
        measure(dependents + " dependents", () -> objects.createOwned(NAMESPACE, dependents), () -> true);
        measure("they are collected", () -> objects.deleteOwner(NAMESPACE), () -> objects.isCollected(NAMESPACE));
        measure("a namespace with " + content + " objects", () -> objects.createNamespace("full", content), () -> true);
        measure("it is deleted", () -> objects.deleteNamespace("full"), () -> objects.isGone("full"));
    }

    /** A Deployment, an owner and a namespace show that the controllers work. */
    private void awaitControllers() throws Exception {
        cluster.createDeployments(1, 1);
        objects.createOwned(NAMESPACE, 1);
        objects.createNamespace("first", 1);
        await("the start", () -> !cluster.podsByGroup().isEmpty());
        cluster.deleteAll(1, 0);
        objects.deleteOwner(NAMESPACE);
        objects.deleteNamespace("first");
        await("the start", () -> cluster.isEmpty() && objects.isCollected(NAMESPACE) && objects.isGone("first"));
    }

    private static void await(String name, BooleanSupplier done) throws InterruptedException {
        long start = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - start > TIME_LIMIT.toNanos()) {
                throw new IllegalStateException(name + " was not done within " + TIME_LIMIT);
            }
            Thread.sleep(500);
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException, ExecutionException;
    }

    private void measure(String name, Work work, BooleanSupplier done) throws Exception {
        process.forgetPeak();
        double processor = process.processorSeconds();
        long start = System.nanoTime();
        work.run();
        await(name, done);
        double seconds = (System.nanoTime() - start) / 1e9;
        Thread.sleep(3000); // late requests of the controllers
        double cost = process.processorSeconds() - processor;
        AuditLog.Counts counts = audit.next();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %d | %d | %d |%n",
                name,
                seconds,
                cost,
                counts.all(),
                counts.conflicts(),
                process.peakMemory());
    }

    private boolean areAvailable() {
        List<JsonNode> all = cluster.list("/apis/apps/v1", "deployments");
        return all.size() == deployments && all.stream().allMatch(this::isAvailable);
    }

    private boolean isAvailable(JsonNode deployment) {
        JsonNode status = deployment.path("status");
        return status.path("observedGeneration").asLong()
                        == deployment.at("/metadata/generation").asLong()
                && status.path("replicas").asInt() == replicas
                && status.path("updatedReplicas").asInt() == replicas
                && status.path("availableReplicas").asInt() == replicas;
    }
}
