package io.github.reconciler4j.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the program that the goal {@code aot-cache} runs to a folder, with its libraries and the examples. The build of an image
 * runs it with the Java of the image: {@code java -jar trainer.jar aot-cache --application application.jar}.
 *
 * @since 0.1.0
 */
@Mojo(name = "aot-trainer", defaultPhase = LifecyclePhase.PACKAGE, threadSafe = true)
public final class AotTrainerMojo extends GeneratorMojo {

    /** The folder of the program. */
    @Parameter(property = "reconciler4j.aot.trainer", defaultValue = "${project.build.directory}/aot-trainer")
    private @Nullable File trainer;

    /** The folder with objects that are reconciled, as YAML files. */
    @Parameter(property = "reconciler4j.examples", defaultValue = "${project.basedir}/examples")
    private @Nullable File examples;

    /** Creates the goal. */
    public AotTrainerMojo() {}

    @Override
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("aot-trainer", "--out", String.valueOf(trainer)));
        if (examples != null && examples.isDirectory()) {
            command.addAll(List.of("--examples", examples.toString()));
        }
        return command;
    }

    /** The program needs nothing of the project. */
    @Override
    List<String> projectClassPath() {
        return List.of();
    }
}
