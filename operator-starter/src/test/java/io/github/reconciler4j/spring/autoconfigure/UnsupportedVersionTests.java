package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application whose class path says that a library has another version. {@code dev/lines} runs it with the libraries themselves. */
class UnsupportedVersionTests {

    @TempDir
    private Path folder;

    @Test
    void startWhenSpringBootIsOfAnotherLineEndsWithOneSentence() throws Exception {
        claim("org.springframework.boot", "spring-boot", "3.5.7");

        assertThat(start())
                .contains(
                        "org.springframework.boot:spring-boot has the version 3.5.7, but Reconciler4j works with 4.0 and 4.1 (R4J-050).")
                .containsPattern("In your pom.xml, write <version>4\\.1\\.[0-9]+</version> for the parent")
                .doesNotContain("\tat ", "LinkageError", "No Kubernetes cluster");
    }

    @Test
    void startWhenFabric8IsOfAnotherLineEndsWithOneSentence() throws Exception {
        claim("io.fabric8", "kubernetes-client-api", "8.0.0");

        assertThat(start())
                .contains("io.fabric8:kubernetes-client-api has the version 8.0.0, but Reconciler4j works with 7.")
                .contains("write the import of io.github.reconciler4j:reconciler4j-bom above all other imports")
                .doesNotContain("\tat ", "LinkageError", "No Kubernetes cluster");
    }

    private void claim(String group, String artifact, String version) throws IOException {
        Path file = folder.resolve("META-INF/maven/" + group + "/" + artifact + "/pom.properties");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "version=" + version);
    }

    private String start() throws Exception {
        Path log = folder.resolve("operator.log");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        folder
                                + File.pathSeparator
                                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        HeadlessOperator.class.getName(),
                        "--spring.main.banner-mode=off")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES))
                    .as("the process ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(1);
        return Files.readString(log);
    }
}
