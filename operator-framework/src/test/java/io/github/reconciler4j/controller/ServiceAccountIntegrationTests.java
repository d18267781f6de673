package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A controller that writes with a service account, as the audit log of a real API server sees it. */
@Tag("whole")
@Timeout(300)
class ServiceAccountIntegrationTests {

    private static final Set<String> READS = Set.of("get", "list", "watch");
    private static final String POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules: [{level: Metadata}]
            """;

    @TempDir
    private Path folder;

    @Test
    void writesWhenTheControllerHasAnAccountAreThoseOfTheAccount() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), POLICY);
        Path log = folder.resolve("audit.log");
        RealKubernetesOptions options = RealKubernetesOptions.defaults()
                .withOnly(KubernetesComponent.APISERVER)
                .withArgument(KubernetesComponent.APISERVER, "--audit-policy-file=" + policy)
                .withArgument(KubernetesComponent.APISERVER, "--audit-log-path=" + log);
        AccountScenario scenario;
        try (RealKubernetes kubernetes = RealKubernetes.start(options)) {
            scenario = new AccountScenario(kubernetes);
            try (Manager manager = scenario.manager()) {
                assertThat(manager.checkPermissions().missing())
                        .as("the rights of the account are unknown before the operator may impersonate it")
                        .extracting(missing -> missing.permission().toString())
                        .anyMatch(text -> text.startsWith("impersonate on serviceaccounts writer"))
                        .noneMatch(text -> text.contains("for service account"));
            }
            scenario.check();
            new AccountLossScenario(kubernetes).check();
        }
        List<JsonNode> requests = Files.readAllLines(log).stream()
                .map(ServiceAccountIntegrationTests::json)
                .filter(request -> List.of("apps", "events.k8s.io")
                        .contains(request.at("/objectRef/apiGroup").asText()))
                .filter(request -> request.at("/user/username").asText().equals(scenario.user("operator")))
                .toList();
        assertThat(requests)
                .filteredOn(request -> READS.contains(request.at("/verb").asText()))
                .isNotEmpty()
                .allMatch(request -> request.at("/impersonatedUser").isMissingNode());
        assertThat(requests)
                .filteredOn(request -> !READS.contains(request.at("/verb").asText()))
                .hasSizeGreaterThan(2 * scenario.forms().size())
                .allMatch(request ->
                        request.at("/impersonatedUser/username").asText().equals(scenario.user("writer")))
                .extracting(request -> request.at("/objectRef/resource").asText())
                .contains("deployments", "statefulsets", "events");
    }

    private static JsonNode json(String line) {
        try {
            return KubernetesJson.mapper().readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
