package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * An etcd and a kube-apiserver on loopback, in a folder that only this user can read. They end with this JVM, even if it is
 * killed. fabric8's {@code kube-api-test} does not fit: its etcd listens on all interfaces, it needs its own folder layout
 * instead of {@code KUBEBUILDER_ASSETS}, and it has one user.
 */
final class ControlPlane {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final int REQUEST_TIMEOUT_MILLIS = 60_000;
    private static final long POLL_MILLIS = 100;
    private static final int TOKEN_BYTES = 16;
    private static final int KEY_BITS = 2048;
    private static final List<String> USERS = List.of("admin", TestCluster.OPERATOR);

    private final Path folder;
    private final int port;
    private final Map<String, String> tokens;

    private ControlPlane(Path folder, int port, Map<String, String> tokens) {
        this.folder = folder;
        this.port = port;
        this.tokens = tokens;
    }

    /** Start the programs in a folder and wait until they are ready. */
    static ControlPlane start(Path programs) {
        try {
            Path folder = Files.createTempDirectory("apiserver");
            Map<String, String> tokens = USERS.stream().collect(Collectors.toMap(user -> user, user -> randomToken()));
            ControlPlane plane = new ControlPlane(folder, freePort(), tokens);
            plane.writeFiles();
            plane.await(List.of(
                    ChildProcess.start(folder, programs.resolve("etcd"), plane.etcdArguments()),
                    ChildProcess.start(folder, programs.resolve("kube-apiserver"), plane.serverArguments())));
            return plane;
        } catch (IOException e) {
            throw new UncheckedIOException("The API server could not be started", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String randomToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private void writeFiles() throws IOException {
        StringBuilder users = new StringBuilder();
        tokens.forEach((user, token) -> users.append("%s,%s,%s,system:masters%n".formatted(token, user, user)));
        Files.writeString(folder.resolve("tokens.csv"), users);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            KeyPair keys = generator.generateKeyPair();
            writePem("accounts.key", "PRIVATE KEY", keys.getPrivate().getEncoded());
            writePem("accounts.pub", "PUBLIC KEY", keys.getPublic().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM cannot generate RSA keys", e);
        }
    }

    private void writePem(String file, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }

    private List<String> etcdArguments() {
        String peer = "unix://" + folder.resolve("peer.sock");
        String client = "unix://" + folder.resolve("etcd.sock");
        return List.of(
                "--name=test",
                "--data-dir=" + folder.resolve("etcd"),
                "--unsafe-no-fsync",
                "--log-level=warn",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=test=" + peer);
    }

    /** Pods need no service account, because no controller creates them. */
    private List<String> serverArguments() {
        return List.of(
                "--etcd-servers=unix://" + folder.resolve("etcd.sock"),
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder,
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + folder.resolve("accounts.pub"),
                "--service-account-signing-key-file=" + folder.resolve("accounts.key"),
                "--service-cluster-ip-range=10.0.0.0/16",
                "--endpoint-reconciler-type=none",
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged",
                "--profiling=false");
    }

    /** Return the configuration of a user. It trusts the certificate that the server created for itself. */
    Config config(String user) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withOauthToken(tokens.get(user))
                .withCaCertFile(folder.resolve("apiserver.crt").toString())
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withNamespace("default")
                .build();
    }

    private void await(List<ChildProcess> processes) {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!Files.exists(folder.resolve("apiserver.crt"))) {
            sleep(processes, deadline);
        }
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config("admin")).build()) {
            while (!isReady(client)) {
                sleep(processes, deadline);
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

    private static void sleep(List<ChildProcess> processes, long deadline) {
        boolean ended = processes.stream().anyMatch(process -> !process.shell().isAlive());
        if (ended || System.nanoTime() - deadline >= 0) {
            String output = processes.stream().map(ChildProcess::lastOutput).collect(Collectors.joining("\n"));
            processes.forEach(ChildProcess::end);
            throw new IllegalStateException("The API server "
                    + (ended ? "ended at once" : "was not ready within " + START_TIMEOUT) + "; " + output);
        }
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            processes.forEach(ChildProcess::end);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the API server starts", e);
        }
    }

    /**
     * A program that ends when this JVM ends. Beside it a shell waits for the end of its input, which is a pipe from this
     * JVM, and then kills the program and deletes its folder.
     */
    private record ChildProcess(Process shell, Path log) {
        private static final int SHOWN_LINES = 15;
        private static final String SCRIPT = """
                exec 3<&0
                folder=$1
                shift
                "$@" 3<&- &
                program=$!
                (read -r end <&3; trap "" TERM; kill -9 $program; rm -rf "$folder") 2>/dev/null &
                reader=$!
                wait $program
                kill $reader
                """;

        static ChildProcess start(Path folder, Path program, List<String> arguments) throws IOException {
            Path log = folder.resolve(program.getFileName() + ".log");
            List<String> command =
                    new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", folder.toString(), program.toString()));
            command.addAll(arguments);
            Process shell = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new ChildProcess(shell, log);
        }

        /** End the program and delete its folder, asynchronously. */
        void end() {
            try {
                shell.getOutputStream().close();
            } catch (IOException e) {
                shell.destroyForcibly();
            }
        }

        String lastOutput() {
            try {
                List<String> lines = Files.readAllLines(log);
                return log.getFileName() + ":\n"
                        + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
