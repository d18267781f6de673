package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewKindCommandTests {

    @TempDir
    private Path folder;

    private void run(String kind, String group) {
        new NewKindCommand()
                .run(Arguments.parse(List.of(
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
                        folder.resolve("examples").toString())));
    }

    @Test
    void kindWhenNewGetsItsFiles() throws IOException {
        run("Proxy", "example.com");

        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString()))
                    .containsExactlyInAnyOrder(
                            "main/com/example/app/Proxy.java",
                            "main/com/example/app/ProxySpec.java",
                            "main/com/example/app/ProxyStatus.java",
                            "main/com/example/app/ProxyReconciler.java",
                            "test/com/example/app/ProxyTests.java",
                            "examples/proxies.yaml");
        }
        assertThat(Files.readString(folder.resolve("main/com/example/app/Proxy.java")))
                .contains("package com.example.app;", "@Plural(\"proxies\")", "GROUP = \"example.com\"")
                .doesNotContain("$");
    }

    @Test
    void kindWhenAFileExistsIsRefused() {
        run("Proxy", "example.com");

        assertThatThrownBy(() -> run("Proxy", "example.com"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("exists already");
    }

    @Test
    void argumentsWhenWrongAreRefused() {
        assertThatThrownBy(() -> run("proxy", "example.com")).hasMessageContaining("The kind must be");
        assertThatThrownBy(() -> run("Proxy", "example")).hasMessageContaining("The group must be");
    }
}
