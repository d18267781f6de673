package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Operators in processes with small stacks, without a working directory or a home, and whose file descriptors are exhausted for a while. */
@Timeout(300)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has neither ulimit nor directories that are deleted while in use")
class HostileProcessTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());

    @TempDir
    private Path directory;

    private Path output = Path.of("");
    private Process process;

    /** The program: prints what it reconciles, and does what it reads. */
    static final class Operator {

        private Operator() {}

        /** Arguments: the kubeconfig, and a directory to delete before the start. */
        public static void main(String[] args) throws Exception {
            loadAll();
            Config config = Config.fromKubeconfig(Path.of(args[0]).toFile());
            if (args.length > 1) {
                Files.delete(Path.of(args[1]));
            }
            Manager manager = Manager.create(
                    config,
                    ManagerOptions.defaults()
                            .withLeaderElection(
                                    LeaderElectionOptions.named("lock").withLeaseNamespace("default")));
            ControllerBuilder.of(ConfigMap.class)
                    .reconciler((map, context) -> {
                        System.out.println("RECONCILED " + map.getMetadata().getName());
                        return Result.done();
                    })
                    .addTo(manager);
            manager.start();
            Hog hog = new Hog();
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                switch (line) {
                    case "exhaust" -> hog.start();
                    case "free" -> hog.free();
                    default ->
                        System.out.println("ALIVE "
                                + HealthReport.of(manager.healthChecks()).isAlive());
                }
            }
            System.exit(0);
        }
    }

    /** A program is in files that are open all the time; the directories of a build are not. */
    private static void loadAll() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            Path root = Path.of(entry);
            if (!Files.isDirectory(root.resolve("io/github/reconciler4j/manager"))) {
                continue;
            }
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".class")).toList()) {
                    String name = root.relativize(file).toString().replace('/', '.');
                    load(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name, false, HostileProcessTests.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            // Needs a library that this program does not have, and so does not need.
        }
    }

    /** Opens a file as soon as the process may. */
    private static final class Hog extends Thread {

        private final List<InputStream> open = new ArrayList<>();
        private volatile boolean freed;

        Hog() {
            setDaemon(true);
        }

        @Override
        public void run() {
            boolean said = false;
            while (!freed) {
                try {
                    open.add(new FileInputStream("/dev/null"));
                } catch (IOException e) {
                    if (!said) {
                        System.out.println("EXHAUSTED");
                        said = true;
                    }
                    Thread.onSpinWait();
                }
            }
        }

        void free() throws IOException, InterruptedException {
            freed = true;
            join();
            for (InputStream each : open) {
                each.close();
            }
            System.out.println("FREED");
        }
    }

    @BeforeEach
    void prepare() {
        output = directory.resolve("output");
        server.writeKubeconfig(directory.resolve("kubeconfig"));
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
        connection.close();
        server.close();
    }

    private void start(String before, Path workingDirectory, String jvmOption, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                before + "exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:TieredStopAtLevel=1",
                jvmOption,
                "-cp",
                absolute(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))),
                Operator.class.getName(),
                directory.resolve("kubeconfig").toString()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .directory(workingDirectory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private static String absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(java.io.File.pathSeparator)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(java.io.File.pathSeparator, entries);
    }

    private void send(String command) throws IOException {
        process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    private void awaitLine(String text) {
        Awaitility.await(text)
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(Files.readString(output)).contains(text));
    }

    private void create(String name) {
        client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build());
    }

    private void assertReconciles(String name) {
        create(name);
        awaitLine("RECONCILED " + name);
    }

    @Test
    void operatorWhenStacksAreSmallWorks() throws Exception {
        start("", directory, "-Xss256k");
        assertReconciles("one");
        send("health");
        awaitLine("ALIVE true");
    }

    @Test
    void operatorWhenItsWorkingDirectoryIsDeletedStartsAndWorks() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        start("", gone, "-Xss1m", gone.toString());
        assertReconciles("one");
        assertThat(gone).doesNotExist();
        send("health");
        awaitLine("ALIVE true");
    }

    /** As a user without an entry in a container of which all files are read-only. */
    @Test
    void operatorWhenItHasNoHomeAndNoTemporaryFilesAndNoEnvironmentWorks() throws Exception {
        start(
                "unset HOME PATH USER LANG LC_ALL TMPDIR; export JDK_JAVA_OPTIONS='-Duser.home=? -Djava.io.tmpdir=/proc'; ",
                directory,
                "-Xss1m");
        assertReconciles("one");
        send("health");
        awaitLine("ALIVE true");
    }

    @Test
    void kindWhenFileDescriptorsWereExhaustedIsFollowedAgainAndOneLineSaysWhy() throws Exception {
        start("ulimit -n 256; ", directory, "-Xss1m");
        assertReconciles("one");
        server.cutConnections();
        assertReconciles("two");
        server.stop(); // what happens in an outage is known to the process then
        server.resume();
        assertReconciles("three");

        send("exhaust");
        awaitLine("EXHAUSTED");
        server.cutConnections();
        create("four");
        awaitLine("Too many open files");
        assertThat(Files.readString(output)).doesNotContain("RECONCILED four");
        send("free");
        awaitLine("FREED");
        awaitLine("RECONCILED four");
        assertReconciles("five");
        send("health");
        awaitLine("ALIVE true");
        assertThat(Files.readString(output).lines().filter(line -> line.contains("cannot watch configmaps")))
                .hasSizeBetween(1, 3);
    }
}
