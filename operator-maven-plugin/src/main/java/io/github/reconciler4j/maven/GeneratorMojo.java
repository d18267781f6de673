package io.github.reconciler4j.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.jspecify.annotations.Nullable;

/** Runs a command of the generator. */
abstract class GeneratorMojo extends AbstractMojo {

    private static final String MAIN = "io.github.reconciler4j.generator.Main";

    /** Skips the goal. */
    @Parameter(property = "reconciler4j.skip", defaultValue = "false")
    private boolean skip;

    /** Options of the JVM that the generator runs in, for instance {@code -Xmx1g}. */
    @Parameter(property = "reconciler4j.jvmArguments")
    private @Nullable List<String> jvmArguments;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private @Nullable MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private @Nullable MavenSession session;

    @Parameter(defaultValue = "${plugin.artifacts}", readonly = true, required = true)
    private @Nullable List<Artifact> pluginArtifacts;

    @javax.inject.Inject
    private @Nullable ToolchainManager toolchains;

    /** Returns the command and its options; null if there is nothing to do. */
    abstract @Nullable List<String> command() throws MojoExecutionException, MojoFailureException;

    /** Returns what of the project comes first on the class path. */
    List<String> projectClassPath() throws MojoExecutionException {
        return runtimeClassPath();
    }

    final List<String> runtimeClassPath() throws MojoExecutionException {
        try {
            return project().getRuntimeClasspathElements();
        } catch (org.apache.maven.artifact.DependencyResolutionRequiredException e) {
            throw new MojoExecutionException("The dependencies of the project are not resolved", e);
        }
    }

    /** Returns the folders with the sources, also if only the compiler of Kotlin knows the usual one. */
    final Set<String> sourceRoots() {
        Set<String> roots = new LinkedHashSet<>(project().getCompileSourceRoots());
        Path kotlin = project().getBasedir().toPath().resolve("src/main/kotlin");
        if (Files.isDirectory(kotlin)) {
            roots.add(kotlin.toString());
        }
        return roots;
    }

    final List<String> testClassPath() throws MojoExecutionException {
        try {
            return project().getTestClasspathElements();
        } catch (org.apache.maven.artifact.DependencyResolutionRequiredException e) {
            throw new MojoExecutionException("The dependencies of the project are not resolved", e);
        }
    }

    final MavenProject project() {
        return java.util.Objects.requireNonNull(project);
    }

    final MavenSession session() {
        return java.util.Objects.requireNonNull(session);
    }

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("Skipped");
            return;
        }
        List<String> command = command();
        if (command == null) {
            return;
        }
        try {
            run(command);
        } catch (IOException e) {
            throw new MojoExecutionException("Cannot run the generator: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("Interrupted while the generator ran", e);
        }
    }

    private void run(List<String> command)
            throws IOException, InterruptedException, MojoExecutionException, MojoFailureException {
        Path folder = Files.createDirectories(Path.of(project().getBuild().getDirectory(), "reconciler4j"));
        List<String> java = new ArrayList<>();
        if (jvmArguments != null) {
            java.addAll(jvmArguments);
        }
        Path failure = folder.resolve(command.get(0) + ".failure");
        Files.deleteIfExists(failure);
        java.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dgenerator.reconciler4j.failure=" + failure));
        if (projectClassPath().isEmpty()) {
            java.add("-Dslf4j.internal.verbosity=ERROR"); // the plugin has no provider, and nothing to log
        }
        java.addAll(List.of("-cp", classPath(), MAIN));
        java.addAll(command);
        Path arguments = Files.write(
                folder.resolve(command.get(0) + ".args"),
                java.stream().map(GeneratorMojo::quoted).toList(),
                StandardCharsets.UTF_8);
        getLog().debug("Generator: " + String.join(" ", java));
        Process process = new ProcessBuilder(javaProgram(), "@" + arguments)
                .directory(project().getBasedir())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String last = "it printed nothing";
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                log(line);
                last = line;
            }
        }
        int code = process.waitFor();
        if (code != 0) {
            String reason = Files.exists(failure) ? Files.readString(failure) : "exit code " + code + ", " + last;
            throw new MojoFailureException("'" + command.get(0) + "' failed: " + reason);
        }
    }

    private void log(String line) {
        if (line.startsWith("Warning: ") || line.startsWith("WARNING ")) {
            getLog().warn(line.substring(line.indexOf(' ') + 1));
        } else if (line.startsWith("ERROR ")) {
            getLog().error(line.substring("ERROR ".length()));
        } else {
            getLog().info(line);
        }
    }

    /** In a file of arguments a backslash and a quote need a backslash. */
    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The JDK of the toolchain, or else the one that Maven runs on. */
    private String javaProgram() {
        Toolchain toolchain = Optional.ofNullable(toolchains)
                .map(all -> all.getToolchainFromBuildContext("jdk", session()))
                .orElse(null);
        String found = toolchain == null ? null : toolchain.findTool("java");
        return found != null
                ? found
                : Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The project's libraries, then those of the generator that the project has in no version. */
    private String classPath() throws MojoExecutionException {
        Map<String, String> files = new LinkedHashMap<>();
        projectClassPath().forEach(element -> files.put(element, element));
        List<String> known = project().getArtifacts().stream()
                .filter(artifact -> files.containsKey(String.valueOf(artifact.getFile())))
                .map(Artifact::getDependencyConflictId)
                .toList();
        if (pluginArtifacts != null) {
            for (Artifact artifact : pluginArtifacts) {
                if (artifact.getFile() != null && !known.contains(artifact.getDependencyConflictId())) {
                    files.put(artifact.getFile().toString(), artifact.getFile().toString());
                }
            }
        }
        return String.join(File.pathSeparator, files.keySet());
    }
}
