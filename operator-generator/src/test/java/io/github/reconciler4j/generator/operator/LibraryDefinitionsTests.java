package io.github.reconciler4j.generator.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryDefinitionsTests {

    private static final KindName WIDGET = new KindName("lib.example.com", "v1", "Widget");
    private static final KindName GADGET = new KindName("lib.example.com", "v1", "Gadget");

    private final List<String> warnings = new ArrayList<>();

    @TempDir
    private Path folder;

    private static String definition(KindName kind, String plural, String scope) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %s.%s}
                spec:
                  group: %s
                  scope: %s
                  names: {kind: %s, plural: %s}
                  versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]
                """.formatted(plural, kind.group(), kind.group(), scope, kind.kind(), plural);
    }

    /** Returns the definitions on a class path with one jar. */
    private List<Map<String, Object>> read(Map<String, String> files) throws IOException {
        Path jar = folder.resolve("library.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream content = new JarOutputStream(file)) {
            for (String name : List.of("META-INF/", "META-INF/crds/", "META-INF/fabric8/")) {
                content.putNextEntry(new ZipEntry(name));
            }
            for (Map.Entry<String, String> entry : files.entrySet()) {
                content.putNextEntry(new ZipEntry(entry.getKey()));
                content.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            thread.setContextClassLoader(loader);
            return LibraryDefinitions.onClassPath();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private List<Map<String, Object>> library() throws IOException {
        return read(Map.of(
                "META-INF/fabric8/widgets.lib.example.com-v1.yml",
                definition(WIDGET, "widgets", "Cluster"),
                "META-INF/crds/gadgets.yaml",
                definition(GADGET, "gadgets", "Cluster"),
                "META-INF/crds/other.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
                "META-INF/others/not.yaml",
                "a: b: c"));
    }

    private OperatorDescription operator(List<Map<String, Object>> libraries) {
        Config nowhere = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://localhost:1/")
                .build();
        try (Manager manager = Manager.create(nowhere, ManagerOptions.defaults().withName("ported"))) {
            ControllerBuilder.of(Widget.class)
                    .reconciler((widget, context) -> Result.done())
                    .watches(Gadget.class, gadget -> List.of())
                    .addTo(manager);
            return new OperatorReader(
                            properties -> OperatorSnapshot.of(manager, OperatorSnapshot.Web.NONE), warnings::add)
                    .read(List.of(), List.of(), libraries);
        }
    }

    @Test
    void definitionsWhenInAJarAreFoundInBothFolders() throws IOException {
        assertThat(library())
                .extracting(definition -> String.valueOf(((Map<?, ?>) definition.get("metadata")).get("name")))
                .containsExactlyInAnyOrder("widgets.lib.example.com", "gadgets.lib.example.com");
    }

    @Test
    void operatorWhenItsKindIsInALibraryOwnsThatDefinitionAndNoOther() throws IOException {
        OperatorDescription operator = operator(library());

        assertThat(operator.definitions())
                .singleElement()
                .satisfies(definition -> assertThat(((Map<?, ?>) definition.get("metadata")).get("name"))
                        .isEqualTo("widgets.lib.example.com"));
        assertThat(operator.grants())
                .filteredOn(grant -> grant.right().group().equals("lib.example.com"))
                .as("the definitions say that the kinds have no namespaces")
                .isNotEmpty()
                .allSatisfy(grant -> assertThat(grant.area()).isEqualTo(Area.CLUSTER));
        assertThat(warnings).isEmpty();
    }

    @Test
    void operatorWhenNothingDefinesItsKindsWarnsOncePerGroup() {
        OperatorDescription operator = operator(List.of());

        assertThat(operator.definitions()).isEmpty();
        assertThat(warnings).singleElement().asString().contains("the group 'lib.example.com'");
    }

    @Test
    void addedWhenTheProjectHasTheKindItselfTakesThatDefinition() throws IOException {
        List<Map<String, Object>> own = List.of(Map.of(
                "metadata", Map.of("name", "widgets.lib.example.com"), "spec", Map.of("group", "lib.example.com")));

        assertThat(LibraryDefinitions.added(own, library(), Set.of(WIDGET))).isEqualTo(own);
    }

    @Test
    void definitionsWhenAFileIsNoYamlNamesTheFile() {
        assertThatThrownBy(() -> read(Map.of("META-INF/crds/broken.yaml", "a: [b")))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("META-INF/crds/broken.yaml");
    }

    @Group("lib.example.com")
    @Version("v1")
    static final class Widget extends CustomResource<String, String> {
        private static final long serialVersionUID = 1L;
    }

    @Group("lib.example.com")
    @Version("v1")
    static final class Gadget extends CustomResource<String, String> {
        private static final long serialVersionUID = 1L;
    }
}
