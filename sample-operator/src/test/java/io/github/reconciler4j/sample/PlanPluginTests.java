package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb {@code plan} of the plugin for {@code kubectl}, with a {@code kubectl} that answers as a cluster does. */
class PlanPluginTests {

    private static final Path PLUGIN = Path.of("../observability/kubectl-reconciler4j");
    private static final String DEPLOYMENT = """
            {"metadata": {"name": "sample", "namespace": "ops"}, "spec": {"template": {
              "metadata": {"labels": {"app.kubernetes.io/name": "sample"}},
              "spec": {"serviceAccountName": "sample", "containers": [{
                "name": "operator", "image": "sample:1", "ports": [{"containerPort": 8081}], "livenessProbe": {},
                "env": [{"name": "A", "value": "1"}]}]}}}}
            """;
    private static final String KUBECTL = """
            #!/usr/bin/env bash
            cd "$(dirname "$0")"
            echo "$*" >> calls
            case "$1 $2" in
              "get deployments") echo deployment.apps/sample ;;
              "get deployment.apps/sample") cat deployment.json ;;
              "get pods") cat code ;;
              "create -f") cat > job.json; echo job.batch/sample-plan-x ;;
              "logs --follow") echo "the report" ;;
            esac
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void writeKubectl() throws IOException {
        Path program = Files.writeString(folder.resolve("kubectl"), KUBECTL);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("deployment.json"), DEPLOYMENT);
    }

    private int run(String code, String... arguments) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("code"), code);
        List<String> command = new ArrayList<>(List.of(PLUGIN.toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", folder.toString(), (before, added) -> added + ":" + before);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).isEqualTo("the report\n");
        return process.waitFor();
    }

    @Test
    void planRunsThePodOfTheDeploymentWithTheNewImageAndDeletesTheJob() throws Exception {
        assertThat(run("2", "plan", "sample:2")).isEqualTo(2);
        JsonNode job = new ObjectMapper().readTree(Files.readString(folder.resolve("job.json")));
        JsonNode template = job.at("/spec/template");
        assertThat(job.at("/spec/backoffLimit").asInt(-1)).isZero();
        assertThat(template.at("/metadata/labels/app.kubernetes.io~1name").asText())
                .as("a name that no Service selects")
                .isEqualTo("sample-plan");
        assertThat(template.at("/spec/serviceAccountName").asText()).isEqualTo("sample");
        JsonNode container = template.at("/spec/containers/0");
        assertThat(container.path("image").asText()).isEqualTo("sample:2");
        assertThat(container.path("env").findValuesAsText("value")).containsExactly("1", "plan", "text");
        assertThat(container.has("ports") || container.has("livenessProbe")).isFalse();
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .last()
                .asString()
                .startsWith("delete job.batch/sample-plan-x");
    }

    @Test
    void exitCodeIsThatOfThePlan() throws Exception {
        assertThat(run("0", "--output", "json", "plan")).isZero();
        assertThat(Files.readString(folder.resolve("job.json"))).contains("sample:1", "json");
        assertThat(run("1", "plan")).isEqualTo(1);
    }
}
