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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * The work for controllers of Deployments, ReplicaSets, Endpoints and EndpointSlices, and what it costs them. Arguments: a
 * kubeconfig, the audit log of the API server, the user agent of the controllers' process, its id, the number of Deployments
 * and of Services.
 */
final class ControllersLoad {

    private static final int REPLICAS = 4;
    private static final int CHURN_ROUNDS = 5;
    private static final Duration TIME_LIMIT = Duration.ofMinutes(30);

    private final ControllersCluster cluster;
    private final AuditLog audit;
    private final ProcessCost process;
    private final int deployments;
    private final int services;
    private final Random random = new Random(1);

    private ControllersLoad(
            ControllersCluster cluster, AuditLog audit, ProcessCost process, int deployments, int services) {
        this.cluster = cluster;
        this.audit = audit;
        this.process = process;
        this.deployments = deployments;
        this.services = services;
    }

    /** Run it. */
    public static void main(String[] arguments) throws Exception {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        int services = Integer.parseInt(arguments[5]);
        try (ApiConnection connection = ApiConnection.open(config, ConnectionOptions.defaults())) {
            new ControllersLoad(
                            new ControllersCluster(connection, services),
                            new AuditLog(Path.of(arguments[1]), arguments[2]),
                            new ProcessCost(Long.parseLong(arguments[3])),
                            Integer.parseInt(arguments[4]),
                            services)
                    .run();
        }
    }

    private void run() throws Exception {
        awaitControllers();
        System.out.printf(Locale.ROOT, "| idle | | %.1f | | | | %d |%n", process.processorSeconds(), process.memory());
        audit.next();
        measure("create", () -> cluster.createDeployments(deployments, REPLICAS), () -> isRolledOut("app:1"));
        measure("roll", () -> cluster.setImages(deployments, "app:2"), () -> isRolledOut("app:2"));
        measure("services", () -> cluster.createServices(services), this::haveServicesTheirPods);
        measure("churn", this::churn, () -> isRolledOut("app:2") && haveServicesTheirPods());
        measure("delete", () -> cluster.deleteAll(deployments, services), cluster::isEmpty);
        System.out.println("peak memory " + process.peakMemory() + " MB");
    }

    /** One Deployment and one Service show that the controllers work. */
    private void awaitControllers() throws Exception {
        cluster.createDeployments(1, REPLICAS);
        cluster.createServices(1);
        await(
                "the start",
                () -> cluster.addressesByGroup().equals(cluster.addressesInSlices())
                        && cluster.addressesByGroup().equals(cluster.addressesInEndpoints())
                        && !cluster.addressesInSlices().isEmpty());
        cluster.deleteAll(1, 1);
        await("the start", cluster::isEmpty);
    }

    private static void await(String name, BooleanSupplier done) throws InterruptedException {
        long start = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - start > TIME_LIMIT.toNanos()) {
                throw new IllegalStateException(name + " did not converge within " + TIME_LIMIT);
            }
            Thread.sleep(500);
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException, ExecutionException;
    }

    private void measure(String name, Work work, BooleanSupplier done) throws Exception {
        double processor = process.processorSeconds();
        long start = System.nanoTime();
        work.run();
        double sent = (System.nanoTime() - start) / 1e9;
        await(name, done);
        double seconds = (System.nanoTime() - start) / 1e9;
        Thread.sleep(3000); // late requests of the controllers
        double cost = process.processorSeconds() - processor;
        AuditLog.Counts counts = audit.next();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.1f (sent in %.1f) | %.1f | %d | %s | %d | %d |%n",
                name,
                seconds,
                sent,
                cost,
                counts.all(),
                counts.byVerb(),
                counts.conflicts(),
                process.memory());
    }

    private void churn() throws InterruptedException, ExecutionException {
        for (int round = 0; round < CHURN_ROUNDS; round++) {
            Map<String, List<String>> pods = new TreeMap<>(cluster.podsByGroup());
            List<String> victims = pods.values().stream()
                    .flatMap(group -> random.ints(2, 0, group.size()).distinct().mapToObj(group::get))
                    .toList();
            cluster.deletePods(victims);
        }
    }

    private boolean isRolledOut(String image) {
        List<JsonNode> all = cluster.list("/apis/apps/v1", "deployments");
        return all.size() == deployments && all.stream().allMatch(deployment -> isRolledOut(deployment, image));
    }

    private static boolean isRolledOut(JsonNode deployment, String image) {
        JsonNode status = deployment.path("status");
        return deployment.at("/spec/template/spec/containers/0/image").asText().equals(image)
                && status.path("observedGeneration").asLong()
                        == deployment.at("/metadata/generation").asLong()
                && status.path("replicas").asInt() == REPLICAS
                && status.path("updatedReplicas").asInt() == REPLICAS
                && status.path("availableReplicas").asInt() == REPLICAS;
    }

    /** Whether Endpoints and EndpointSlices of all Services have exactly the ready pods. */
    private boolean haveServicesTheirPods() {
        Map<String, List<String>> wanted = cluster.addressesByGroup();
        return wanted.size() == services
                && wanted.values().stream().mapToInt(List::size).sum() == deployments * REPLICAS
                && cluster.addressesInSlices().equals(wanted)
                && cluster.addressesInEndpoints().equals(wanted);
    }
}
