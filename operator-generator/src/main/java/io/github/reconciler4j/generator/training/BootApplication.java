package io.github.reconciler4j.generator.training;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The jar of an application as Spring Boot extracts it: a JVM can keep classes of plain jars only. Immutable. */
final class BootApplication {

    private static final String NAME = "application.jar";
    private static final String PROCESSED = "__ApplicationContextInitializer.class";
    private static final List<String> DEFINITIONS = List.of("META-INF/crds/", "META-INF/fabric8/");

    private final Path jar;

    private BootApplication(Path jar) {
        this.jar = jar;
    }

    /**
     * Return the application of a jar, which is extracted to a folder unless it was before.
     *
     * @throws GeneratorException if there is no such jar, or if it is not an application
     */
    static BootApplication of(Path file, Path folder, JavaProgram java, Duration timeout, Consumer<String> progress) {
        if (!Files.isRegularFile(file)) {
            throw new GeneratorException("There is no " + file + ": package the application first");
        }
        Attributes manifest = manifest(file);
        if (manifest.getValue("Spring-Boot-Classes") != null) {
            extract(file, folder, java, timeout, progress);
            return new BootApplication(folder.resolve(NAME).toAbsolutePath().normalize());
        }
        if (manifest.getValue(Attributes.Name.MAIN_CLASS) == null) {
            throw new GeneratorException(
                    file + " is not executable: its manifest has no Main-Class. Let the goal repackage of"
                            + " spring-boot-maven-plugin run before, and name the jar that it writes (R4J-709)");
        }
        return new BootApplication(file.toAbsolutePath().normalize());
    }

    private static void extract(Path file, Path folder, JavaProgram java, Duration timeout, Consumer<String> progress) {
        List<String> command = List.of(
                java.program().toString(),
                "-Djarmode=tools",
                "-jar",
                file.toAbsolutePath().toString(),
                "extract",
                "--force",
                "--application-filename",
                NAME,
                "--destination",
                folder.toAbsolutePath().toString());
        try (ObservedProcess process = ObservedProcess.start(command, Path.of(""), List.of())) {
            int code = process.awaitEnd("Spring Boot has extracted the jar", timeout, progress);
            if (code != 0 || !Files.isRegularFile(folder.resolve(NAME))) {
                throw process.failure("Spring Boot could not extract " + file
                        + ". It needs Spring Boot 3.3 or newer with its" + " jar mode 'tools' in the jar");
            }
        }
    }

    private static Attributes manifest(Path file) {
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            return manifest == null ? new Attributes() : manifest.getMainAttributes();
        } catch (IOException e) {
            throw new GeneratorException(file + " is not a jar: " + e.getMessage(), e);
        }
    }

    /** Return the jar to start, whose libraries are beside it. */
    Path jar() {
        return jar;
    }

    /** Return whether Spring has processed the application ahead of time: beside the main class is what that has generated. */
    boolean isProcessed() {
        String main = manifest(jar).getValue(Attributes.Name.MAIN_CLASS);
        try (JarFile file = new JarFile(jar.toFile())) {
            return main != null && file.getEntry(main.replace('.', '/') + PROCESSED) != null;
        } catch (IOException e) {
            throw new GeneratorException(jar + " is not a jar: " + e.getMessage(), e);
        }
    }

    /** Return the definitions in the jar and its libraries; of several with one name the first. */
    List<Map<String, Object>> definitions() {
        Map<String, Map<String, Object>> definitions = new LinkedHashMap<>();
        List<Path> jars = new ArrayList<>(List.of(jar));
        String libraries = manifest(jar).getValue(Attributes.Name.CLASS_PATH);
        if (libraries != null) {
            for (String library : libraries.split(" +")) {
                jars.add(jar.resolveSibling(library));
            }
        }
        for (Path one : jars) {
            if (Files.isRegularFile(one)) {
                read(one).forEach(definition -> definitions.putIfAbsent(name(definition), definition));
            }
        }
        return List.copyOf(definitions.values());
    }

    private static String name(Map<String, Object> definition) {
        return definition.get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("name")) : "";
    }

    private static List<Map<String, Object>> read(Path file) {
        List<Map<String, Object>> definitions = new ArrayList<>();
        try (JarFile jar = new JarFile(file.toFile())) {
            for (JarEntry entry :
                    jar.stream().filter(BootApplication::isDefinition).toList()) {
                try (InputStream content = jar.getInputStream(entry)) {
                    String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
                    Yaml.readAll(text, file + "!/" + entry).stream()
                            .filter(document -> "CustomResourceDefinition".equals(document.get("kind"))
                                    && "apiextensions.k8s.io/v1".equals(document.get("apiVersion")))
                            .forEach(definitions::add);
                }
            }
            return definitions;
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the definitions in " + file + ": " + e.getMessage(), e);
        }
    }

    private static boolean isDefinition(JarEntry entry) {
        String name = entry.getName();
        return DEFINITIONS.stream().anyMatch(name::startsWith)
                && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }
}
