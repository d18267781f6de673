package io.github.reconciler4j.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Prints what the packaged application would change in a cluster, beside the version that runs there, and changes nothing. The user of
 * the kubeconfig needs the permissions of the operator.
 *
 * @since 0.1.0
 */
@Mojo(name = "plan", threadSafe = true)
public final class PlanMojo extends GeneratorMojo {

    /** The jar that the goal {@code repackage} of {@code spring-boot-maven-plugin} has written. */
    @Parameter(
            property = "reconciler4j.plan.application",
            defaultValue = "${project.build.directory}/${project.build.finalName}.jar")
    private @Nullable File application;

    /** The kubeconfig; by default the usual one. */
    @Parameter(property = "reconciler4j.plan.kubeconfig")
    private @Nullable File kubeconfig;

    /** The context of the kubeconfig; by default the current one. */
    @Parameter(property = "reconciler4j.plan.context")
    private @Nullable String context;

    /** The format of the report: {@code text} or {@code json}. */
    @Parameter(property = "reconciler4j.plan.format", defaultValue = "text")
    private @Nullable String format;

    /** The file that the report is written to; by default it is printed. */
    @Parameter(property = "reconciler4j.plan.file")
    private @Nullable File file;

    /** Whether the build fails if something would change. */
    @Parameter(property = "reconciler4j.plan.failOnChanges", defaultValue = "false")
    private boolean failOnChanges;

    /** Properties of the application for the plan, for instance a profile. */
    @Parameter
    private @Nullable Map<String, String> properties;

    /** Creates the goal. */
    public PlanMojo() {}

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("plan", "--application", String.valueOf(application)));
        add(command, "--kubeconfig", kubeconfig);
        add(command, "--context", context);
        add(command, "--format", format);
        add(command, "--out", file);
        command.addAll(List.of("--fail-on-changes", Boolean.toString(failOnChanges)));
        if (properties != null) {
            properties.forEach((key, value) -> command.addAll(List.of("--property", key + "=" + value)));
        }
        return command;
    }

    private static void add(List<String> command, String option, @Nullable Object value) {
        if (value != null) {
            command.addAll(List.of(option, value.toString()));
        }
    }

    /** The application runs in a JVM of its own, so the libraries of the plugin are enough. */
    @Override
    List<String> projectClassPath() {
        return List.of();
    }
}
