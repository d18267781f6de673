package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code plan}, with an application that ends with the exit code that a property of it says. */
class PlanCommandTests {

    @TempDir
    private Path folder;

    /** The application: it wants the mode, and ends. */
    public static final class Application {

        private Application() {}

        public static void main(String... arguments) {
            List<String> all = List.of(arguments);
            boolean isPlan = all.contains("--reconciler4j.mode=plan")
                    && all.contains("--reconciler4j.client.context=production")
                    && all.contains("--reconciler4j.plan.format=json");
            String code = all.get(all.size() - 1).replace("--code=", "");
            System.exit(isPlan ? Integer.parseInt(code) : 99);
        }
    }

    private void run(String code, String... more) throws IOException {
        Path jar = folder.resolve("application.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Application.class.getName());
        String file = Application.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                var content = Application.class.getClassLoader().getResourceAsStream(file)) {
            entries.putNextEntry(new JarEntry(file));
            content.transferTo(entries);
            entries.closeEntry();
        }
        List<String> options = new ArrayList<>(List.of("--application", jar.toString(), "--context", "production"));
        options.addAll(List.of("--format", "json", "--property", "code=" + code));
        options.addAll(List.of(more));
        new PlanCommand().run(Arguments.parse(options));
    }

    @Test
    void changesAreNoFailureUnlessTheyAreAskedToBe() {
        assertThatCode(() -> run("0")).doesNotThrowAnyException();
        assertThatCode(() -> run("2")).doesNotThrowAnyException();
        assertThatThrownBy(() -> run("2", "--fail-on-changes", "true"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("would change objects");
    }

    @Test
    void planThatIsNotCompleteIsAFailure() {
        assertThatThrownBy(() -> run("1"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageEndingWith("exit code 1");
    }

    @Test
    void applicationThatIsNotPackagedIsNamed() {
        assertThatThrownBy(() -> new PlanCommand().run(Arguments.parse(List.of("--application", "target/none.jar"))))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("none.jar");
        assertThat(new PlanCommand().usage()).contains("--fail-on-changes");
    }
}
