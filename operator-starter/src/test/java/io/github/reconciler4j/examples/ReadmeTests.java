package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The Java code that the documentation shows is code of the {@code examples} packages, so it compiles and is run. */
class ReadmeTests {

    private static final Path ROOT = Path.of("..");
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- snippet: (\\S+) -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern KOTLIN =
            Pattern.compile("<!-- kotlin: (\\S+) -->\\s*```kotlin\\n(.*?)```", Pattern.DOTALL);

    /** Compiled by the test of the guide in {@code operator-archetype}. */
    private static final Pattern WHOLE_FILE =
            Pattern.compile("<!-- file: \\S+ -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void snippetsWhenShownAreCodeThatCompiles() throws IOException {
        int snippets = 0;
        for (Path document : documents()) {
            Matcher snippet = SNIPPET.matcher(Files.readString(document));
            while (snippet.find()) {
                snippets++;
                assertThat(lines(source(snippet.group(1))))
                        .as("%s shows %s", document, snippet.group(1))
                        .contains(lines(snippet.group(2)));
            }
        }
        assertThat(snippets).isGreaterThanOrEqualTo(2);
    }

    @Test
    void kotlinWhenShownIsCodeOfTheSample() throws IOException {
        Path sample = ROOT.resolve("sample-kotlin/src/main/kotlin/io/github/reconciler4j/sample/kotlin");
        int snippets = 0;
        for (Path document : documents()) {
            Matcher snippet = KOTLIN.matcher(Files.readString(document));
            while (snippet.find()) {
                snippets++;
                assertThat(lines(Files.readString(sample.resolve(snippet.group(1) + ".kt"))))
                        .as("%s shows %s", document, snippet.group(1))
                        .contains(lines(snippet.group(2)));
            }
            assertThat(KOTLIN.matcher(Files.readString(document)).replaceAll(""))
                    .as(document.toString())
                    .doesNotContain("```kotlin");
        }
        assertThat(snippets).isPositive();
    }

    @Test
    void javaWhenShownIsMarkedAsSnippet() throws IOException {
        for (Path document : documents()) {
            String text = WHOLE_FILE
                    .matcher(SNIPPET.matcher(Files.readString(document)).replaceAll(""))
                    .replaceAll("");
            assertThat(text).as(document.toString()).doesNotContain("```java");
        }
    }

    @Test
    void reconcilerWhenShownBecomesAController() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                .withUserConfiguration(WebPageReconciler.class)
                .withPropertyValues("reconciler4j.auto-startup=false")
                .run(context -> assertThat(context.getBean(Manager.class).components())
                        .extracting(ManagedComponent::name)
                        .contains("webpage"));
    }

    private static Iterable<Path> documents() throws IOException {
        try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            documents.filter(file -> file.toString().endsWith(".md")))
                    .collect(Collectors.toList());
        }
    }

    static String source(String name) throws IOException {
        for (String module : new String[] {
            "operator-starter",
            "operator-framework",
            "operator-connection",
            "operator-installer",
            "operator-test-client",
            "operator-test-server",
            "operator-test-cluster",
            "operator-controllers",
            "operator-sharding",
            "operator-clusters",
            "operator-brake",
            "operator-webhook",
            "sample-operator"
        }) {
            Path file = ROOT.resolve(module).resolve("src/test/java/io/github/reconciler4j/examples/" + name + ".java");
            if (Files.exists(file)) {
                return Files.readString(file);
            }
        }
        throw new AssertionError("There is no example " + name);
    }

    /** Without indentation, and one space between all words, so that a snippet may be set in as its place needs. */
    static String lines(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
