package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.github.reconciler4j.generator.crd.model.Everything;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real API server takes the definitions that the one inside this JVM has verified, and they mean the same to it. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class CrdIntegrationTests extends CrdBehaviorFixture {

    private static KubernetesClient client;

    CrdIntegrationTests() {
        super(client);
    }

    @BeforeAll
    static void installDefinitions(RealKubernetes kubernetes) {
        client = new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
        install(client);
    }

    @AfterAll
    static void close() {
        client.close();
    }

    @Test
    void definitionsWhenOfferedToARealServerAreStructural() {
        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .list()
                        .getItems())
                .hasSize(2)
                .allSatisfy(definition -> assertThat(definition.getStatus().getConditions())
                        .noneMatch(condition -> "NonStructuralSchema".equals(condition.getType())));
    }

    @Test
    void versionWhenDeprecatedAnswersWithItsWarning() throws Exception {
        assertThat(warnings("v1beta1")).singleElement().asString().contains("use example.com/v1");
        assertThat(warnings("v1")).isEmpty();
    }

    private static List<String> warnings(String version) throws Exception {
        HttpResponse<String> response = client.getHttpClient()
                .sendAsync(
                        client.getHttpClient()
                                .newHttpRequestBuilder()
                                .uri(client.getMasterUrl() + "apis/example.com/" + version + "/ages")
                                .build(),
                        String.class)
                .get(30, TimeUnit.SECONDS);
        assertThat(response.code()).isEqualTo(200);
        return response.headers("Warning");
    }

    @Test
    void javadocWhenKubectlExplainsAFieldIsItsDescription(RealKubernetes kubernetes) {
        await("the schema, which is published after the definition is established")
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(kubernetes.kubectl("explain", "everything.spec.duration"))
                        .contains("A time span, see Duration"));
    }

    @Test
    void columnsWhenKubectlListsObjectsAreThoseOfTheClass(RealKubernetes kubernetes) {
        client.resource(everything("listed", spec -> spec.color = Everything.Color.RED))
                .create();

        assertThat(kubernetes.kubectl("get", "everythings", "listed"))
                .containsPattern("NAME +ZONE +COLOR +SMALL +AGE")
                .contains("RED");
    }

    @Test
    void definitionWhenDescriptionsAreLimitedIsAcceptedWithoutThem() {
        String text = Yaml.write(CrdGeneratorTests.generate(
                        CrdGeneratorTests.withJavadoc().withMaxDescriptionLength(0), Everything.class)
                .definitions()
                .get(0));
        assertThat(text.replace("description: More", "")).doesNotContain("description: ");

        assertThat(client.resource(text).dryRun().serverSideApply()).isNotNull();
    }
}
