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
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** An etcd and a kube-apiserver on loopback, in a folder that only this user may read. They end with this JVM. */
final class ControlPlane {
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

    /** Starts the programs of a folder and waits until they are ready, a minute at most. */
    static ControlPlane start(Path programs) {
        try {
            Path folder = Files.createTempDirectory("apiserver");
            ControlPlane plane =
                    new ControlPlane(folder, freePort(), Map.of(USERS.get(0), token(), USERS.get(1), token()));
            plane.writeFiles();
            ChildProcess etcd = ChildProcess.start(folder, programs.resolve("etcd"), plane.etcdArguments());
            ChildProcess server =
                    ChildProcess.start(folder, programs.resolve("kube-apiserver"), plane.serverArguments());
            Readiness.await(plane.config("admin"), folder.resolve("apiserver.crt"), List.of(etcd, server));
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

    private static String token() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private void writeFiles() throws IOException {
        StringBuilder users = new StringBuilder();
        tokens.forEach((user, token) -> users.append("%s,%s,%s,system:masters%n".formatted(token, user, user)));
        Files.writeString(folder.resolve("tokens.csv"), users);
        KeyPair keys = keys();
        writePem("accounts.key", "PRIVATE KEY", keys.getPrivate().getEncoded());
        writePem("accounts.pub", "PUBLIC KEY", keys.getPublic().getEncoded());
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot make keys", e);
        }
    }

    private void writePem(String file, String what, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
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

    /** Service accounts are not demanded of pods, since nobody makes them. */
    private List<String> serverArguments() {
        return Arrays.asList(
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

    /** The configuration of a user; trusts the certificate that the server made for itself. */
    Config config(String user) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + port)
                .withOauthToken(tokens.get(user))
                .withCaCertFile(folder.resolve("apiserver.crt").toString())
                .withNamespace("default")
                .build();
    }

    /** Waits until a kube-apiserver that is starting is ready. */
    private static final class Readiness {
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
                throw new IllegalStateException("The API server "
                        + (ended ? "ended at once" : "was not ready within " + LONGEST) + "; " + words);
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
}
