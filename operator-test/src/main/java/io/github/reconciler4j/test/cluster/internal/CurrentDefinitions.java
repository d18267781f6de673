package io.github.reconciler4j.test.cluster.internal;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.DefinitionGenerator;
import io.github.reconciler4j.test.cluster.internal.DefinitionFiles.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The definitions of an application as its classes are now. A build writes definitions to files, but an IDE only compiles. So those
 * that the generator has written are generated again in this JVM if it is on the class path. If it is not, a sentence says
 * that a file is out of date. Not safe for use by multiple threads.
 */
public final class CurrentDefinitions {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentDefinitions.class);

    private final KubernetesSerialization serialization;
    private final Supplier<Optional<DefinitionGenerator>> generators;
    private boolean readBefore;

    /** What the definitions and the classes of their kinds were when they were last known to belong together. */
    private Map<String, String> texts = Map.of();

    private Map<String, String> classes = Map.of();

    /** Create definitions that have not been read. */
    public CurrentDefinitions(KubernetesSerialization serialization) {
        this(
                serialization,
                () -> ServiceLoader.load(DefinitionGenerator.class, DefinitionGenerator.class.getClassLoader())
                        .findFirst());
    }

    CurrentDefinitions(KubernetesSerialization serialization, Supplier<Optional<DefinitionGenerator>> generators) {
        this.serialization = serialization;
        this.generators = generators;
    }

    /** Return whether definitions were read before. */
    public boolean isReadBefore() {
        return readBefore;
    }

    /**
     * Return the definitions at places of the class path, and those of all kinds among the classes in its folders. If these cannot be
     * generated, the reason is logged. Then the result has what the build has written the first time, and later nothing that would
     * replace what was generated before.
     *
     * @throws IllegalStateException if a file cannot be read
     */
    public List<CustomResourceDefinition> read(List<String> places) {
        Map<String, Entry> files = DefinitionFiles.entries(places, serialization);
        boolean first = !readBefore;
        readBefore = true;
        List<CustomResourceDefinition> result;
        try {
            Optional<DefinitionGenerator> generator = generators.get();
            if (generator.isEmpty()) {
                warnOfChangedClasses(files);
                return definitions(files);
            }
            result = generated(generator.get(), files, first);
        } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
            reportFailure(e);
            result = first ? definitions(files) : List.of();
        }
        texts = texts(files);
        return result;
    }

    private static List<CustomResourceDefinition> definitions(Map<String, Entry> files) {
        return files.values().stream().map(Entry::definition).toList();
    }

    private static void reportFailure(Throwable failure) {
        Throwable cause = failure;
        while (failure instanceof Error && cause.getCause() != null) {
            cause = cause.getCause(); // that of a service that cannot be loaded names no reason
        }
        String reason = failure instanceof Error ? cause.toString() : cause.getMessage();
        LOG.error(
                "The definitions cannot be generated from the classes in {}, so the former ones stay (R4J-507): {}",
                ClassFolders.find(),
                reason);
        LOG.debug("The failed generation", failure);
    }

    private static Map<String, String> texts(Map<String, Entry> files) {
        Map<String, String> texts = new LinkedHashMap<>();
        files.forEach((name, file) -> texts.put(name, file.text()));
        return texts;
    }

    /** A build removes classes before it compiles them, and DevTools may restart in between. So a file without a class counts once. */
    private List<CustomResourceDefinition> generated(
            DefinitionGenerator generator, Map<String, Entry> files, boolean first) {
        Map<String, CustomResourceDefinition> made = new LinkedHashMap<>();
        boolean failed = false;
        try {
            generator.generate(ClassFolders.find()).forEach(definition -> made.put(name(definition), definition));
        } catch (RuntimeException e) {
            failed = true;
            reportFailure(e);
        }
        List<CustomResourceDefinition> result = new ArrayList<>();
        for (Entry file : files.values()) {
            String name = name(file.definition());
            CustomResourceDefinition newer = made.remove(name);
            if (!generator.hasWritten(file.text())) {
                result.add(file.definition());
            } else if (newer != null) {
                result.add(Descriptions.added(newer, file.definition()));
            } else if (first || !failed && !file.text().equals(texts.get(name))) {
                result.add(file.definition());
            }
        }
        result.addAll(made.values());
        return result;
    }

    /**
     * The times of files say nothing: a build compiles a class again without any change, and leaves a file alone that would not
     * change.
     */
    private void warnOfChangedClasses(Map<String, Entry> files) {
        Map<String, String> texts = texts(files);
        Map<String, String> now = ClassFolders.kinds(ClassFolders.find());
        if (!texts.equals(this.texts)) {
            this.texts = texts;
            classes = now;
            return;
        }
        List<String> changed = now.entrySet().stream()
                .filter(kind -> !kind.getValue().equals(classes.get(kind.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        if (!changed.isEmpty()) {
            LOG.warn(
                    "The classes of {} have changed, but not their definitions: run ./mvnw process-classes, or add"
                            + " the dependency io.github.reconciler4j:reconciler4j-generator with the scope test (R4J-508)",
                    String.join(", ", changed));
        }
    }

    private static String name(CustomResourceDefinition definition) {
        return definition.getMetadata().getName();
    }
}
