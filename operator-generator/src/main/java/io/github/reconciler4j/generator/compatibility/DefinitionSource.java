package io.github.reconciler4j.generator.compatibility;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Where definitions of an earlier release come from, as text:
 *
 * <ul>
 *   <li>a folder, a YAML file or a jar; of a jar everything below {@code META-INF} counts
 *   <li>{@code git:REF:PATH}: a file or folder as it is in a commit, tag or branch, by the {@code git} program
 *   <li>{@code cluster} or {@code cluster:CONTEXT}: what is installed in the cluster of the kubeconfig
 * </ul>
 *
 * @since 0.1.0
 */
public final class DefinitionSource {

    private static final String GIT = "git:";
    private static final String CLUSTER = "cluster";

    private final String text;
    private final Path directory;

    private DefinitionSource(String text, Path directory) {
        this.text = text;
        this.directory = directory;
    }

    /**
     * Return the source that a text describes.
     *
     * @param directory the folder that paths start from and {@code git} runs in
     */
    public static DefinitionSource parse(String text, Path directory) {
        return new DefinitionSource(text, directory);
    }

    /**
     * Read the definitions.
     *
     * @param names the definitions to look for in a cluster, where others are installed, too
     * @throws GeneratorException if the source cannot be read
     */
    public List<Map<String, Object>> read(Collection<String> names) {
        if (text.equals(CLUSTER) || text.startsWith(CLUSTER + ":")) {
            return cluster(names);
        }
        if (text.startsWith(GIT)) {
            return git();
        }
        Path path = directory.resolve(text);
        if (!Files.exists(path)) {
            throw new GeneratorException("There are no definitions at " + path
                    + ": name a folder, a file, a jar, git:REF:PATH or cluster:CONTEXT (R4J-754)");
        }
        try {
            if (!path.toString().endsWith(".jar")) {
                return files(path);
            }
            try (FileSystem jar = FileSystems.newFileSystem(path)) {
                Path metadata = jar.getPath("/META-INF");
                return Files.exists(metadata) ? files(metadata) : List.of();
            }
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the definitions at " + path + ": " + e.getMessage(), e);
        }
    }

    private static List<Map<String, Object>> files(Path root) throws IOException {
        List<Map<String, Object>> definitions = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(DefinitionSource::isYaml).sorted().toList()) {
                definitions.addAll(definitions(Files.readString(file), file.toString()));
            }
        }
        return definitions;
    }

    private static boolean isYaml(Path file) {
        String name = file.toString();
        return Files.isRegularFile(file) && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }

    private static List<Map<String, Object>> definitions(String text, String origin) {
        if (!text.contains("CustomResourceDefinition")) {
            return List.of();
        }
        return Yaml.readAll(ForeignTemplate.withoutExpressions(text), origin).stream()
                .filter(document -> "CustomResourceDefinition".equals(document.get("kind")))
                .toList();
    }

    private List<Map<String, Object>> git() {
        String[] parts = text.substring(GIT.length()).split(":", 2);
        if (parts.length < 2 || parts[0].isEmpty()) {
            throw new GeneratorException(
                    "'" + text + "' must have the form git:REF:PATH, for instance git:v1.0.0:charts");
        }
        List<Map<String, Object>> definitions = new ArrayList<>();
        String listed = run("git", "ls-tree", "-r", "--name-only", "-z", parts[0], "--", parts[1]);
        for (String file : listed.split("\0")) {
            if (file.endsWith(".yaml") || file.endsWith(".yml") || file.endsWith(".json")) {
                definitions.addAll(definitions(run("git", "show", parts[0] + ":./" + file), text + " " + file));
            }
        }
        return definitions;
    }

    private String run(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.PIPE)
                    .start();
            process.getOutputStream().close();
            Thread reader;
            StringBuilder errors = new StringBuilder();
            try (InputStream stderr = process.getErrorStream();
                    InputStream stdout = process.getInputStream()) {
                reader = new Thread(() -> drain(stderr, errors), "git-errors");
                reader.start();
                String output = new String(stdout.readAllBytes(), StandardCharsets.UTF_8);
                reader.join();
                if (process.waitFor() != 0) {
                    throw new GeneratorException(String.join(" ", command) + " failed in " + directory + ": "
                            + errors.toString().strip());
                }
                return output;
            }
        } catch (IOException e) {
            throw new GeneratorException("Cannot run git in " + directory + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GeneratorException("Interrupted while git ran", e);
        }
    }

    private static void drain(InputStream stream, StringBuilder target) {
        try {
            target.append(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            target.append(e.getMessage());
        }
    }

    private List<Map<String, Object>> cluster(Collection<String> names) {
        String context = text.length() > CLUSTER.length() ? text.substring(CLUSTER.length() + 1) : null;
        io.fabric8.kubernetes.client.Config config = io.fabric8.kubernetes.client.Config.autoConfigure(context);
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            return names.stream()
                    .map(name -> client.apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .withName(name)
                            .get())
                    .filter(Objects::nonNull)
                    .map((CustomResourceDefinition definition) -> Yaml.tree(definition))
                    .toList();
        } catch (KubernetesClientException e) {
            throw new GeneratorException(
                    "Cannot read the definitions in the cluster at " + config.getMasterUrl() + ": " + e.getMessage(),
                    e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
