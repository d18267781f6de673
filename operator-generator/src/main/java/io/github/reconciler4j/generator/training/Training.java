package io.github.reconciler4j.generator.training;

import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A training run: it starts an operator against an API server inside this JVM, lets it list, reconcile and stop, and keeps what
 * its JVM has loaded and linked in a file, so that later starts need less time. With Java 25 and newer the file is an AOT
 * cache, {@code application.aot}; with older versions it is an archive of application class-data sharing,
 * {@code application.jsa}. Either fits only the same build of the JVM and the same jars. Immutable.
 *
 * @since 0.1.0
 */
public final class Training {

    private final TrainingOptions options;
    private final Consumer<String> progress;

    /**
     * Create a training run.
     *
     * @param progress receives lines for people: what is done, warnings, and every ten seconds what is waited for
     */
    public Training(TrainingOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * What a training run has written.
     *
     * @param jar the extracted jar to start, with its libraries beside it
     * @param cache the cache beside the jar
     * @param options the options of the JVM that use the cache, and the beans that Spring has found if it has processed the
     *     application ahead of time
     * @since 0.1.0
     */
    public record Result(Path jar, Path cache, List<String> options) {

        /** Create it. */
        public Result {
            options = List.copyOf(options);
        }
    }

    /**
     * Train an application. Blocks for some seconds, at most for the time limits of the options.
     *
     * @param application the executable jar that Spring Boot has written, or the one that was extracted from it
     * @param folder where the jar is extracted to; not used if it was extracted before
     * @throws GeneratorException if the application is missing or not executable, if its Java is too old, or if it does not
     *     start, reconcile or stop in time
     */
    public Result run(Path application, Path folder) {
        JavaProgram java = JavaProgram.of(options.java());
        BootApplication extracted = BootApplication.of(application, folder, java, options.timeout(), progress);
        Path cache = extracted.jar().resolveSibling(java.cacheFile());
        boolean complete = false;
        try {
            Files.deleteIfExists(cache);
            Path kubeconfig = Files.createTempFile("training", ".kubeconfig");
            try {
                train(java, extracted, cache, kubeconfig);
                check(java, extracted, cache);
                complete = true;
            } finally {
                Files.deleteIfExists(kubeconfig);
                // A JVM that reads half a cache can crash.
                if (!complete) {
                    Files.deleteIfExists(cache);
                }
            }
        } catch (IOException e) {
            throw new GeneratorException("Cannot write " + cache + ": " + e.getMessage(), e);
        }
        List<String> options = new ArrayList<>(List.of(java.using(cache)));
        options.addAll(processed(extracted));
        return new Result(extracted.jar(), cache, options);
    }

    private void train(JavaProgram java, BootApplication application, Path cache, Path kubeconfig) {
        List<Map<String, Object>> definitions = application.definitions();
        try (TrainingCluster cluster = new TrainingCluster(definitions, options.examples(), progress)) {
            cluster.writeKubeconfig(kubeconfig);
            List<String> environment = List.of("KUBECONFIG=" + kubeconfig);
            try (ObservedProcess process =
                    ObservedProcess.start(command(java, application, cache, kubeconfig), folder(cache), environment)) {
                String reconciled = "the application has reconciled";
                process.await(reconciled, cluster::isQuiet, options.timeout(), progress);
                cluster.addObjects();
                process.await(reconciled + " an added object", cluster::isQuiet, options.timeout(), progress);
                cluster.deleteAdded();
                process.await(reconciled + " a deleted object", cluster::isQuiet, options.timeout(), progress);
                long writes = cluster.writes();
                process.stop();
                process.awaitEnd("the JVM has written " + cache.getFileName(), options.timeout(), progress);
                if (!Files.isRegularFile(cache)) {
                    throw process.failure("The JVM " + java + " has ended without writing " + cache);
                }
                progress.accept("Trained with " + definitions.size()
                        + (definitions.size() == 1 ? " definition" : " definitions") + "; the application wrote "
                        + writes + (writes == 1 ? " object" : " objects"));
            }
        }
    }

    private static Path folder(Path cache) {
        return Objects.requireNonNull(cache.toAbsolutePath().getParent());
    }

    private static List<String> processed(BootApplication application) {
        return application.isProcessed() ? List.of("-Dspring.aot.enabled=true") : List.of();
    }

    private List<String> command(JavaProgram java, BootApplication application, Path cache, Path kubeconfig) {
        Map<String, String> properties = new TreeMap<>(Map.of("server.port", "0"));
        properties.putAll(options.properties());
        properties.put("reconciler4j.client.kubeconfig", kubeconfig.toString());
        List<String> command = new ArrayList<>(List.of(java.program().toString()));
        command.addAll(options.jvmArguments());
        command.add(java.writing(cache));
        command.addAll(processed(application));
        properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.addAll(List.of("-jar", application.jar().toString()));
        return command;
    }

    /** Start the JVM with the cache and no application. */
    private void check(JavaProgram java, BootApplication application, Path cache) {
        List<String> command = new ArrayList<>(List.of(java.program().toString()));
        command.addAll(options.jvmArguments());
        command.addAll(java.requiring(cache));
        command.addAll(List.of("-cp", application.jar().toString(), "-version"));
        try (ObservedProcess process = ObservedProcess.start(command, folder(cache), List.of())) {
            if (process.awaitEnd("the JVM has read " + cache, options.timeout(), progress) != 0) {
                throw process.failure("The JVM " + java + " does not accept what it has written: " + cache);
            }
        }
    }
}
