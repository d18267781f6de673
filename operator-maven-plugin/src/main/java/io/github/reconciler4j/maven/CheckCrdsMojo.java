package io.github.reconciler4j.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.inject.Inject;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.jspecify.annotations.Nullable;

/**
 * Fails if the CustomResourceDefinitions break what the last release accepted, stored or showed. Each finding names the
 * definition, the version, the path, the reason and the rule.
 *
 * @since 0.1.0
 */
@Mojo(name = "check-crds", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckCrdsMojo extends GeneratorMojo {

    private static final Pattern COORDINATES =
            Pattern.compile("[^:\\s/\\\\]+:[^:\\s/\\\\]+:[^:\\s/\\\\]+(:[^:\\s/\\\\]+)*");

    /** The definitions to check. */
    @Parameter(property = "reconciler4j.crds", defaultValue = "${project.build.outputDirectory}/META-INF/crds")
    private @Nullable File crds;

    /**
     * The last release: Maven coordinates ({@code group:artifact:version}), a folder, a file, a jar,
     * {@code git:REF:PATH}, {@code cluster} or {@code cluster:CONTEXT}. Without it the goal does nothing.
     */
    @Parameter(property = "reconciler4j.against")
    private @Nullable String against;

    /** The severity of rules by name: {@code error}, {@code warning} or {@code ignore}. */
    @Parameter
    private @Nullable Map<String, String> severities;

    /** Whether versions that a conversion webhook converts may differ in any way. */
    @Parameter(property = "reconciler4j.trustConversion", defaultValue = "true")
    private boolean trustConversion;

    @Inject
    private @Nullable RepositorySystem repositories;

    /** Creates the goal. */
    public CheckCrdsMojo() {}

    @Override
    @Nullable
    List<String> command() throws MojoExecutionException {
        String release = against;
        if (release == null || release.isBlank()) {
            getLog().info("No release to compare with: set <against> or -Dreconciler4j.against");
            return null;
        }
        List<String> command = new ArrayList<>(List.of("check-crds", "--new", String.valueOf(crds)));
        command.addAll(List.of("--old", source(release)));
        command.addAll(List.of("--trust-conversion", Boolean.toString(trustConversion)));
        if (severities != null) {
            severities.forEach((rule, severity) -> command.addAll(List.of("--severity", rule + "=" + severity)));
        }
        return command;
    }

    /** Nothing of the project is loaded, so the plugin's own libraries do. */
    @Override
    List<String> projectClassPath() {
        return List.of();
    }

    private String source(String release) throws MojoExecutionException {
        if (release.startsWith("git:")
                || release.startsWith("cluster:")
                || !COORDINATES.matcher(release).matches()) {
            return release;
        }
        try {
            return Objects.requireNonNull(repositories)
                    .resolveArtifact(
                            session().getRepositorySession(),
                            new ArtifactRequest(
                                    new DefaultArtifact(release), project().getRemoteProjectRepositories(), null))
                    .getArtifact()
                    .getFile()
                    .toString();
        } catch (ArtifactResolutionException | IllegalArgumentException e) {
            throw new MojoExecutionException("Cannot resolve the last release " + release + ": " + e.getMessage(), e);
        }
    }
}
