package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a new kind: which ones, that they compile, and which names are refused. */
class NewKindCommandTests {

    @TempDir
    private Path folder;

    private void run(String kind, String group, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--kind",
                kind,
                "--group",
                group,
                "--package",
                "com.example.app",
                "--sources",
                folder.resolve("main").toString(),
                "--tests",
                folder.resolve("test").toString(),
                "--examples",
                folder.resolve("examples").toString()));
        arguments.addAll(List.of(more));
        new NewKindCommand().run(Arguments.parse(arguments));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private List<String> names() throws IOException {
        return files().stream().map(file -> folder.relativize(file).toString()).toList();
    }

    private String read(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    @Test
    void kindWhenNewGetsItsFiles() throws IOException {
        run("Proxy", "example.com");

        assertThat(names())
                .containsExactlyInAnyOrder(
                        "main/com/example/app/Proxy.java",
                        "main/com/example/app/ProxySpec.java",
                        "main/com/example/app/ProxyStatus.java",
                        "main/com/example/app/ProxyReconciler.java",
                        "test/com/example/app/ProxyTests.java",
                        "examples/proxies.yaml");
        assertThat(read("main/com/example/app/Proxy.java"))
                .contains("package com.example.app;", "@Plural(\"proxies\")", "GROUP = \"example.com\"")
                .contains("@Version(\"v1alpha1\")", "implements Namespaced");
        assertThat(read("examples/proxies.yaml")).startsWith("apiVersion: example.com/v1alpha1\nkind: Proxy\n");
    }

    @ParameterizedTest
    @CsvSource({
        "Postgres,postgres",
        "MyClass,myclasses",
        "Redis,redis",
        "Gateway,gateways",
        "Policy,policies",
        "Mesh,meshes"
    })
    void kindWithoutAPluralGetsThatOfItsWord(String kind, String plural) throws IOException {
        run(kind + "Thing", "example.com", "--plural", "chosen");
        assertThat(read("main/com/example/app/" + kind + "Thing.java")).contains("@Plural(\"chosen\")");

        run(kind, "example.com");
        assertThat(names()).contains("examples/" + plural + ".yaml");
    }

    @Test
    void kindWhenItHasMoreGetsMoreFiles() throws IOException {
        run(
                "Proxy",
                "example.com",
                "--scope",
                "Cluster",
                "--version",
                "v2",
                "--former-version",
                "v1beta1",
                "--webhooks",
                "true");

        assertThat(names())
                .contains(
                        "main/com/example/app/ProxyValidator.java",
                        "main/com/example/app/ProxyDefaulter.java",
                        "main/com/example/app/ProxyConverter.java",
                        "main/com/example/app/v1beta1/Proxy.java",
                        "main/com/example/app/v1beta1/ProxySpec.java")
                .hasSize(11);
        assertThat(read("main/com/example/app/Proxy.java"))
                .contains("@Version(\"v2\")")
                .doesNotContain("Namespaced");
        assertThat(read("main/com/example/app/v1beta1/Proxy.java"))
                .contains("@Version(value = \"v1beta1\", storage = false)");
        assertThat(read("examples/proxies.yaml")).contains("example.com/v2\n").endsWith("  namespace: default\n");
    }

    static Stream<List<String>> choices() {
        return Stream.of(List.of(), List.of("--scope", "cluster"))
                .flatMap(scope -> Stream.of(List.of(), List.of("--former-version", "v1"))
                        .flatMap(former -> Stream.of(List.of(), List.of("--webhooks", "true"))
                                .map(webhooks -> Stream.of(scope, former, webhooks)
                                        .flatMap(List::stream)
                                        .map(String::valueOf)
                                        .toList())));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void filesCompile(List<String> choice) throws IOException {
        run("Proxy", "example.com", choice.toArray(String[]::new));

        List<Path> sources = files().stream()
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
        for (Path source : sources) {
            assertThat(Files.readString(source))
                    .as("%s", source)
                    .doesNotContain("$", "#if", "#end")
                    .doesNotContain("\n\n\n");
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = Stream.concat(
                        Stream.of("-proc:none", "-d", folder.resolve("classes").toString()),
                        sources.stream().map(Path::toString))
                .collect(Collectors.toCollection(ArrayList::new));
        assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new)))
                .as("result of the compiler")
                .isZero();
    }

    @Test
    void kindWhenAFileExistsIsRefused() {
        run("Proxy", "example.com");

        assertThatThrownBy(() -> run("Proxy", "example.com"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("exists already");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ConfigMap", "Condition", "Conditions", "Pod", "Deployment", "Ingress", "Role", "Namespaced", "Group",
                "Client", "ObjectSet", "Object", "String", "Record", "Result", "Permission", "Version", "Test"
            })
    void kindWhenItsNameClashesIsRefused(String kind) throws IOException {
        assertThatThrownBy(() -> run(kind, "example.com"))
                .isInstanceOf(Arguments.UsageException.class)
                .hasMessageStartingWith("The kind cannot be " + kind + ": ")
                .hasMessageEndingWith("choose another name (R4J-734)");
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Database", "Volume", "Backup", "Proxy", "Condor"})
    void kindWhenItsNameIsFreeIsAccepted(String kind) throws IOException {
        run(kind, "example.com");
        assertThat(files()).hasSize(6);
    }

    @Test
    void argumentsWhenWrongAreRefused() {
        assertThatThrownBy(() -> run("proxy", "example.com")).hasMessageContaining("The kind must be");
        assertThatThrownBy(() -> run("Proxy", "example")).hasMessageContaining("The group must be");
        assertThatThrownBy(() -> run("Proxy", "a.b", "--scope", "Global")).hasMessageContaining("The scope must be");
        assertThatThrownBy(() -> run("Proxy", "a.b", "--version", "1")).hasMessageContaining("The version must be");
        assertThatThrownBy(() -> run("Proxy", "a.b", "--former-version", "v0"))
                .hasMessageContaining("The former version must be");
        assertThatThrownBy(() -> run("Proxy", "a.b", "--version", "v1", "--former-version", "v1"))
                .hasMessageContaining("must differ");
        assertThatThrownBy(() -> run("Proxy", "a.b", "--webhooks", "yes")).hasMessageContaining("true or false");
        assertThatThrownBy(() -> run("Proxy", "a.b", "--plural", "Proxies")).hasMessageContaining("The plural must be");
    }

    @Test
    void packageWhenItHasAKeywordIsRefused() {
        assertThatThrownBy(() -> new NewKindCommand()
                        .run(Arguments.parse(
                                List.of("--kind", "Proxy", "--group", "a.b", "--package", "com.example.new"))))
                .hasMessageContaining("keyword");
    }
}
