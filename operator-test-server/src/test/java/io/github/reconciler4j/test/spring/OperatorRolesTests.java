package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.TestRuns;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

/** Tests under roles that a person has written, and with some of the controllers. */
class OperatorRolesTests {

    private static final String FOLDER = "src/test/resources/roles/";

    @TempDir
    private Path empty;

    @Test
    void testWhenItsFilesGrantWhatTheOperatorDoesSucceeds() {
        assertThat(TestRuns.run(AllFiles.class).getFailures()).isEmpty();
        assertThat(TestRuns.run(OfTheClassPath.class).getFailures()).isEmpty();
    }

    @Test
    void testWhenItsFilesLackARightFailsWithIt() {
        List<TestExecutionSummary.Failure> failures =
                TestRuns.run(OneFile.class).getFailures();

        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("@Permission(resources = \"configmaps\", verbs = \"create\")"));
    }

    @Test
    void filesAreReadInTheOrderOfTheirNames() {
        assertThat(RoleFiles.read(List.of(FOLDER + "0*.yaml")))
                .extracting(HasMetadata::getKind, object -> object.getMetadata().getName())
                .hasToString(
                        "[(\"ServiceAccount\", \"tiny\"), (\"ClusterRole\", \"tiny\"), (\"ClusterRole\", \"tiny-writer\")]");
        assertThat(RoleFiles.read(List.of(FOLDER + "02-writer.yaml", "classpath:roles/01-maps.yaml")))
                .extracting(object -> object.getMetadata().getName())
                .containsExactly("tiny-writer", "tiny", "tiny");
        assertThat(RoleFiles.read(List.of("src/**/02-writer.yaml"))).hasSize(1);
    }

    @Test
    void folderMayHaveAnyName() throws IOException {
        Path odd = Files.createDirectories(empty.resolve("a #b %41 [c]/in"));
        Files.copy(Path.of(FOLDER + "02-writer.yaml"), odd.resolve("role.yaml"));

        assertThat(RoleFiles.read(List.of(odd + "/role.yaml"))).hasSize(1);
        assertThat(RoleFiles.read(List.of(odd + "/*.yaml"))).hasSize(1);
        assertThat(RoleFiles.read(List.of(empty + "/**/role.yaml"))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none.yaml", "none/*.yaml", "classpath:roles/none.yaml", FOLDER + "9*.yaml"})
    void placeWithoutFileIsRefused(String place) {
        assertThatThrownBy(() -> RoleFiles.read(List.of(place)))
                .hasMessageContaining("no file with roles at '" + place + "', seen from "
                        + Path.of("").toAbsolutePath());
    }

    @Test
    void fileWithoutObjectsIsNamed() {
        assertThatThrownBy(() -> RoleFiles.read(List.of(FOLDER + "broken.txt")))
                .hasMessageContaining("broken.txt] with roles has a document that is no object of Kubernetes");
        assertThatThrownBy(() -> RoleFiles.read(List.of(FOLDER + "text.txt")))
                .hasMessageContaining("text.txt] with roles has a document that is no object of Kubernetes");
        assertThatThrownBy(() -> RoleFiles.read(List.of(empty + "/*")))
                .hasMessageContaining("no file with roles at '" + empty + "/*'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules:\n{{- if .Values.all }}\n{{- end }}\n",
                "{{- range .Values.namespaces }}\n---\nkind: Role\n{{- end }}\n",
                "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: '{{ .Release.Name }}'}\nrules: []\n",
                "{{/* no template makes a role */}}\n"
            })
    void templateOfAChartIsRefusedWithWhatToDo(String template) throws IOException {
        Path file = Files.writeString(empty.resolve("role.yaml"), template);

        assertThatThrownBy(() -> RoleFiles.read(List.of(file.toString())))
                .hasMessageContaining(
                        "role.yaml] with roles is a template of a Helm chart: run 'helm template' first, and name"
                                + " the file that it writes in 'roles' of @OperatorTest");
    }

    @Test
    void fileWithBracesInACommentIsRead() throws IOException {
        Path file = Files.writeString(
                empty.resolve("role.yaml"),
                "# {{ no template }}\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a} # {{ }}\n");

        assertThat(RoleFiles.read(List.of(file.toString()))).hasSize(1);
    }

    @Test
    void controllersWhenNamedAreThoseOfTheApplication() {
        assertThat(TestRuns.run(SomeControllers.class).getFailures()).isEmpty();
    }

    private static void create(Config config) {
        try (KubernetesClient operator =
                new KubernetesClientBuilder().withConfig(config).build()) {
            operator.configMaps().inNamespace("default").withName("b").get();
            operator.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .withNamespace("default")
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    @Disabled("run by a test above")
    @OperatorTest(classes = GeneratedRoleTests.Application.class, roles = FOLDER + "0*.yaml")
    static class AllFiles {
        @Test
        void works(@Autowired Config config) {
            create(config);
        }
    }

    @Disabled("run by a test above")
    @OperatorTest(
            classes = GeneratedRoleTests.Application.class,
            roles = {"classpath:roles/01-maps.yaml", "classpath:roles/02-writer.yaml"})
    static class OfTheClassPath {
        @Test
        void works(@Autowired Config config, TestCluster cluster) {
            create(config);
            assertThat(cluster.client().rbac().clusterRoleBindings().list().getItems())
                    .extracting(binding -> binding.getMetadata().getName())
                    .contains("tiny", "tiny-writer");
        }
    }

    @Disabled("run by a test above")
    @OperatorTest(classes = GeneratedRoleTests.Application.class, roles = FOLDER + "01-maps.yaml")
    static class OneFile {
        @Test
        void works(@Autowired Config config) {
            assertThatThrownBy(() -> create(config)).isInstanceOf(KubernetesClientException.class);
        }
    }

    @Disabled("run by a test above")
    @OperatorTest(
            classes = GeneratedRoleTests.Application.class,
            controllers = {"*", "-two"},
            properties = "other=1")
    static class SomeControllers {
        @Test
        void areSelected(@Value("${reconciler4j.enabled-controllers}") List<String> names) {
            assertThat(names).containsExactly("*", "-two");
        }
    }
}
