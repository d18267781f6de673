package io.github.reconciler4j.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/**
 * Writes a CustomResourceDefinition for each kind of the project into the jar, checked as an API server checks them.
 * Descriptions come from the Javadoc and KDoc of the project's sources.
 *
 * @since 0.1.0
 */
@Mojo(
        name = "crds",
        defaultPhase = LifecyclePhase.PROCESS_CLASSES,
        requiresDependencyResolution = ResolutionScope.RUNTIME,
        threadSafe = true)
public final class CrdsMojo extends GeneratorMojo {

    /** Where the definitions are written. */
    @Parameter(property = "reconciler4j.crds", defaultValue = "${project.build.outputDirectory}/META-INF/crds")
    private @Nullable File crds;

    /** Further kinds, for instance of a library, by class name. */
    @Parameter
    private @Nullable List<String> kinds;

    /** Jars or folders with the sources of further kinds, for their Javadoc or KDoc. */
    @Parameter
    private @Nullable List<File> sources;

    /** The length in characters above which descriptions are cut after a sentence; 0 leaves all out. */
    @Parameter(property = "reconciler4j.maxDescriptionLength")
    private @Nullable Integer maxDescriptionLength;

    /** Whether an API server inside the generator's JVM checks the definitions. */
    @Parameter(property = "reconciler4j.verify", defaultValue = "true")
    private boolean verify;

    /** Creates the goal. */
    public CrdsMojo() {}

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("crds", "--out", String.valueOf(crds)));
        command.addAll(List.of("--classes", project().getBuild().getOutputDirectory()));
        command.addAll(List.of("--verify", Boolean.toString(verify)));
        sourceRoots().forEach(root -> command.addAll(List.of("--sources", root)));
        if (sources != null) {
            sources.forEach(file -> command.addAll(List.of("--sources", file.toString())));
        }
        if (kinds != null) {
            kinds.forEach(kind -> command.addAll(List.of("--kind", kind)));
        }
        if (maxDescriptionLength != null) {
            command.addAll(List.of("--max-description-length", maxDescriptionLength.toString()));
        }
        return command;
    }
}
