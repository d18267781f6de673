package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pod with one container, as a process. From the pod it takes the environment, the volumes of ConfigMaps and empty
 * directories, the readiness probe, the grace period, and the service account with its token.
 *
 * <p>It differs from a container in this: the process sees the files of this machine, so volumes are elsewhere and paths
 * in the environment are rewritten; it has a port of its own, since all pods have one network; the token reaches it through
 * a kubeconfig; its user and the limits of memory and processor are those of the test.
 */
final class LocalPod {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    private final String name;
    private final Process process;
    private final Path log;
    /** Null in the pod of a Job. */
    private final URI readiness;

    private final int webhookPort;
    private final Instant started = Instant.now();
    private Instant terminated;

    private volatile boolean reported;

    private LocalPod(String name, Process process, Path log, URI readiness, int webhookPort) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.readiness = readiness;
        this.webhookPort = webhookPort;
    }

    static LocalPod start(RealKubernetes kubernetes, KubernetesClient client, Pod pod, Path jar, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        Container container = pod.getSpec().getContainers().get(0);
        Map<String, String> mounts = mount(client, pod, container, folder);
        int port = Prometheus.freePort();
        Path log = folder.resolve("log");
        ProcessBuilder process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + mounts.get("/tmp"),
                        "-Dspring.aot.enabled=true", // as in the entry point of the image
                        "-jar",
                        jar.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> environment = process.environment();
        environment.clear();
        environment.put("SERVER_PORT", Integer.toString(port));
        int webhookPort = Prometheus.freePort();
        environment.put("RECONCILER4J_WEBHOOK_PORT", Integer.toString(webhookPort));
        environment.put("KUBECONFIG", kubeconfig(kubernetes, pod, folder).toString());
        environment.put("HOSTNAME", pod.getMetadata().getName());
        for (EnvVar variable : container.getEnv()) {
            environment.put(variable.getName(), onThisMachine(variable.getValue(), mounts));
        }
        Probe probe = container.getReadinessProbe();
        return new LocalPod(
                pod.getMetadata().getName(),
                process.start(),
                log,
                probe == null
                        ? null
                        : URI.create(
                                "http://127.0.0.1:" + port + probe.getHttpGet().getPath()),
                webhookPort);
    }

    private static String onThisMachine(String value, Map<String, String> mounts) {
        return mounts.entrySet().stream()
                .filter(mount -> value.startsWith(mount.getKey() + "/"))
                .map(mount -> mount.getValue() + value.substring(mount.getKey().length()))
                .findFirst()
                .orElse(value);
    }

    /** Returns the folders on this machine by their paths in the container. */
    private static Map<String, String> mount(KubernetesClient client, Pod pod, Container container, Path folder)
            throws IOException {
        Map<String, String> mounts = new HashMap<>();
        for (Volume volume : pod.getSpec().getVolumes()) {
            Path source = Files.createDirectories(folder.resolve(volume.getName()));
            if (volume.getConfigMap() != null) {
                ConfigMap map = client.configMaps()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .withName(volume.getConfigMap().getName())
                        .require();
                for (Map.Entry<String, String> file : map.getData().entrySet()) {
                    Files.writeString(source.resolve(file.getKey()), file.getValue());
                }
            }
            container.getVolumeMounts().stream()
                    .filter(mount -> mount.getName().equals(volume.getName()))
                    .forEach(mount -> mounts.put(mount.getMountPath(), source.toString()));
        }
        return mounts;
    }

    private static Path kubeconfig(RealKubernetes kubernetes, Pod pod, Path folder) throws IOException {
        String namespace = pod.getMetadata().getNamespace();
        String account = pod.getSpec().getServiceAccountName();
        Path token = Files.writeString(folder.resolve("token"), kubernetes.serviceAccountToken(namespace, account));
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: pod
                clusters: [{name: pod, cluster: {server: "%s", certificate-authority-data: "%s"}}]
                users: [{name: pod, user: {tokenFile: "%s"}}]
                contexts: [{name: pod, context: {cluster: pod, user: pod, namespace: %s}}]
                """.formatted(
                        kubernetes.server(),
                        kubernetes.serviceAccountConfig(namespace, account).getCaCertData(),
                        token,
                        namespace));
    }

    /** Returns the status of a pod whose image does not exist, as JSON. */
    static String imageMissing(String image) {
        return wrap("""
                {"phase": "Pending", "containerStatuses": [{"name": "operator", "image": "%s", "imageID": "",
                "ready": false, "restartCount": 0, "state": {"waiting": {"reason": "ErrImagePull"}}}]}""".formatted(image));
    }

    /** Returns the pod's status as JSON: running, and ready if its probe succeeds. */
    String status() {
        boolean ready = process.isAlive() && readiness != null && isReady();
        reported = ready;
        String state = process.isAlive()
                ? "{\"running\": {\"startedAt\": \"" + started + "\"}}"
                : "{\"terminated\": {\"exitCode\": " + process.exitValue() + "}}";
        String condition = ready ? "True" : "False";
        String phase = process.isAlive() ? "Running" : process.exitValue() == 0 ? "Succeeded" : "Failed";
        return wrap("""
                {"phase": "%s", "startTime": "%s", "conditions": [
                {"type": "ContainersReady", "status": "%s"}, {"type": "Ready", "status": "%s"}],
                "containerStatuses": [{"name": "operator", "image": "", "imageID": "", "ready": %s, "restartCount": 0,
                "state": %s}]}""".formatted(phase, started, condition, condition, ready, state));
    }

    private static String wrap(String status) {
        return "{\"status\": " + status + "}";
    }

    private boolean isReady() {
        try {
            return HTTP.send(
                                    HttpRequest.newBuilder(readiness)
                                            .timeout(Duration.ofSeconds(5))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sends SIGTERM at the first call and SIGKILL after the grace period; returns whether the process has ended. */
    boolean hasEnded(Duration grace) {
        reported = false;
        if (terminated == null) {
            terminated = Instant.now();
            process.destroy();
        } else if (Instant.now().isAfter(terminated.plus(grace))) {
            process.destroyForcibly();
        }
        return !process.isAlive();
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Returns whether it was reported as ready, so that Services have it among their endpoints. */
    boolean isReported() {
        return reported && process.isAlive();
    }

    int webhookPort() {
        return webhookPort;
    }

    String name() {
        return name;
    }

    /** Returns the exit code, -1 if the process still runs. */
    int exitCode() {
        return process.isAlive() ? -1 : process.exitValue();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
