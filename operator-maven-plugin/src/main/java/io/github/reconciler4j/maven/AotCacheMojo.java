package io.github.reconciler4j.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Runs the packaged application against an API server in a JVM of its own, lets it reconcile an object of each kind, and
 * writes what its JVM has loaded beside the extracted jar: with Java 25 and newer an AOT cache, with older versions an archive
 * of application class-data sharing. Later starts with the same build of Java need less time. For an image, whose Java is
 * another one, use the goal {@code aot-trainer}.
 *
 * @since 0.1.0
 */
@Mojo(name = "aot-cache", defaultPhase = LifecyclePhase.PACKAGE, threadSafe = true)
public final class AotCacheMojo extends GeneratorMojo {

    /** The jar that the goal {@code repackage} of {@code spring-boot-maven-plugin} has written. */
    @Parameter(
            property = "reconciler4j.aot.application",
            defaultValue = "${project.build.directory}/${project.build.finalName}.jar")
    private @Nullable File application;

    /** The folder that the jar is extracted to. */
    @Parameter(property = "reconciler4j.aot.folder", defaultValue = "${project.build.directory}/application")
    private @Nullable File folder;

    /** The program {@code java} that later starts use; by default that of the toolchain, or else the one Maven runs on. */
    @Parameter(property = "reconciler4j.aot.java")
    private @Nullable File java;

    /** The folder with objects that are reconciled, as YAML files. Kinds without one get one from the definition. */
    @Parameter(property = "reconciler4j.examples", defaultValue = "${project.basedir}/examples")
    private @Nullable File examples;

    /** Options of the application's JVM, as later starts have them; by default those of the generated chart. */
    @Parameter(property = "reconciler4j.aot.jvmArguments")
    private @Nullable List<String> applicationJvmArguments;

    /** Properties of the application while it is trained, for instance a profile. */
    @Parameter
    private @Nullable Map<String, String> properties;

    /** The time limit of each step in seconds. */
    @Parameter(property = "reconciler4j.aot.timeout", defaultValue = "120")
    private int timeout;

    /** Creates the goal. */
    public AotCacheMojo() {}

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("aot-cache", "--application", String.valueOf(application)));
        command.addAll(List.of("--out", String.valueOf(folder), "--timeout", Integer.toString(timeout)));
        if (java != null) {
            command.addAll(List.of("--java", java.toString()));
        }
        if (examples != null && examples.isDirectory()) {
            command.addAll(List.of("--examples", examples.toString()));
        }
        if (applicationJvmArguments != null) {
            applicationJvmArguments.forEach(argument -> command.addAll(List.of("--jvm-argument", argument)));
        }
        if (properties != null) {
            properties.forEach((key, value) -> command.addAll(List.of("--property", key + "=" + value)));
        }
        return command;
    }

    /** The application runs in a JVM of its own, so the libraries of the plugin are enough. */
    @Override
    List<String> projectClassPath() {
        return List.of();
    }
}
