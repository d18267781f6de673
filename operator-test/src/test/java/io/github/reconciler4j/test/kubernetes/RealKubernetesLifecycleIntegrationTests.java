package io.github.reconciler4j.test.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Start and end of instances: in parallel, without Go, and after their JVM was killed. */
@Tag("whole")
class RealKubernetesLifecycleIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final RealKubernetesOptions SERVER_ONLY =
            RealKubernetesOptions.defaults().withOnly();

    @TempDir
    Path temporary;

    @Test
    void closeWhenInstanceRunsLeavesNothingBehind() {
        RealKubernetes kubernetes = RealKubernetes.start(SERVER_ONLY);
        Path folder = kubernetes.kubeconfig().getParent();
        assertThat(processesOf(folder)).hasSize(2);
        kubernetes.close();
        kubernetes.close();
        assertGone(folder);
    }

    @Test
    void startWhenAnotherInstanceRunsKeepsBothApart() {
        try (RealKubernetes one = RealKubernetes.start(SERVER_ONLY);
                RealKubernetes other = RealKubernetes.start(SERVER_ONLY)) {
            assertThat(one.server()).isNotEqualTo(other.server());
            one.kubectl("create", "namespace", "only-here");
            assertThat(one.kubectl("get", "namespaces", "-o", "name")).contains("namespace/only-here");
            assertThat(other.kubectl("get", "namespaces", "-o", "name")).doesNotContain("namespace/only-here");
        }
    }

    @Test
    void instanceWhenItsJvmIsKilledEnds() throws IOException {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KubernetesHolder.class.getName())
                .redirectError(temporary.resolve("holder.log").toFile())
                .start();
        Path folder = folderOf(holder);
        assertThat(processesOf(folder)).hasSize(2);
        holder.destroyForcibly();
        await("the end of the instance")
                .atMost(TIMEOUT)
                .until(() -> processesOf(folder).isEmpty() && Files.notExists(folder));
    }

    @Test
    void startWhenAComponentCannotStartTellsItsLogAndLeavesNothingBehind() {
        RealKubernetesOptions broken = SERVER_ONLY.withArgument(KubernetesComponent.APISERVER, "--no-such-flag");
        Path instances = temporary.resolve("instances");
        DevScript script = DevScript.find().withEnvironment(Map.of("DEV_KUBERNETES_INSTANCES", instances.toString()));
        assertThatThrownBy(() -> RealKubernetes.start(script, broken))
                .hasMessageContaining("could not be started: the API server ended")
                .hasMessageContaining("unknown flag: --no-such-flag");
        assertThat(processesOf(instances)).isEmpty();
        assertThat(instances).isEmptyDirectory();
    }

    @Test
    void startWhenGoIsMissingGivesAdvice() throws IOException {
        String tools = wrappersOf("bash env dirname basename id mkdir awk cat openssl cut date sed head curl");
        DevScript withoutGo = DevScript.find()
                .withEnvironment(Map.of(
                        "PATH",
                        tools,
                        "XDG_CACHE_HOME",
                        temporary.resolve("cache").toString(),
                        "KUBEBUILDER_ASSETS",
                        ""));
        assertThatThrownBy(() -> RealKubernetes.start(withoutGo, SERVER_ONLY))
                .hasMessageContaining("Go is missing")
                .hasMessageContaining("Install Go 1.")
                .hasMessageContaining("KUBEBUILDER_ASSETS");
    }

    @Test
    void startWhenAssetsLackTheServerGivesAdvice() {
        DevScript emptyAssets = DevScript.find().withEnvironment(Map.of("KUBEBUILDER_ASSETS", temporary.toString()));
        assertThatThrownBy(() -> RealKubernetes.start(emptyAssets, SERVER_ONLY))
                .hasMessageContaining("KUBEBUILDER_ASSETS is " + temporary)
                .hasMessageContaining("no executable 'etcd'");
    }

    @Test
    void startWhenAssetsAreThoseOfSetupEnvtestNeedsNoOtherProgram() throws IOException {
        Path assets = Files.createDirectory(temporary.resolve("assets"));
        try (RealKubernetes any = RealKubernetes.start(SERVER_ONLY)) {
            for (String program : List.of("etcd", "kube-apiserver", "kubectl")) {
                Files.createSymbolicLink(assets.resolve(program), any.binaries().resolve(program));
            }
        }
        DevScript script = DevScript.find().withEnvironment(Map.of("KUBEBUILDER_ASSETS", assets.toString()));

        try (RealKubernetes kubernetes = RealKubernetes.start(script, SERVER_ONLY)) {
            assertThat(kubernetes.binaries()).isEqualTo(assets.toRealPath());
            kubernetes.kubectl("create", "configmap", "made", "-n", "default");
            assertThat(kubernetes.kubectl("get", "configmaps", "-n", "default", "-o", "name"))
                    .contains("configmap/made");
        }
        RealKubernetesOptions more = RealKubernetesOptions.defaults().withOnly(KubernetesComponent.CONTROLLER_MANAGER);
        assertThatThrownBy(() -> RealKubernetes.start(script, more))
                .hasMessageContaining("kube-controller-manager is not in " + assets.toRealPath())
                .hasMessageContaining("Unset KUBEBUILDER_ASSETS");
    }

    private static Path folderOf(Process holder) throws IOException {
        BufferedReader output = holder.inputReader();
        String line = output.readLine();
        while (line != null && !line.startsWith("folder ")) {
            line = output.readLine();
        }
        assertThat(line).as("the line with the folder").isNotNull();
        return Path.of(line.substring("folder ".length()));
    }

    private static void assertGone(Path folder) {
        assertThat(processesOf(folder)).isEmpty();
        assertThat(folder).doesNotExist();
        assertThat(folder.resolveSibling(folder.getFileName() + ".lock")).doesNotExist();
    }

    private static List<String> processesOf(Path folder) {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .flatMap(process -> process.info().commandLine().stream())
                    .filter(command -> command.contains(folder + "/"))
                    .toList();
        }
    }

    /** Returns a folder with nothing but the given programs. */
    private String wrappersOf(String programs) throws IOException {
        Path folder = Files.createDirectory(temporary.resolve("tools"));
        for (String program : programs.split(" ")) {
            Path found = Arrays.stream(System.getenv("PATH").split(":"))
                    .map(entry -> Path.of(entry, program))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no " + program + " on the PATH"));
            Path wrapper = Files.writeString(folder.resolve(program), "#!/bin/sh\nexec " + found + " \"$@\"\n");
            assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        }
        return folder.toString();
    }
}
