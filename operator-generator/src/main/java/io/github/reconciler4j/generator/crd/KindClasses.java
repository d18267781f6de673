package io.github.reconciler4j.generator.crd;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the classes of kinds: those with {@code @Group} and {@code @Version}.
 *
 * @since 0.1.0
 */
public final class KindClasses {

    private KindClasses() {}

    /**
     * Find kinds, sorted by name. Classes are loaded by the context class loader and not initialized.
     *
     * @param folders folders with compiled classes
     * @param names further classes by name
     * @throws GeneratorException if a class cannot be loaded, or one of the names is not a kind
     */
    public static List<Class<? extends HasMetadata>> find(Collection<Path> folders, Collection<String> names) {
        Map<String, Class<? extends HasMetadata>> found = new TreeMap<>();
        for (Path folder : folders) {
            for (Class<?> type : classes(folder, List.of(Group.class))) {
                if (isKind(type)) {
                    found.put(type.getName(), type.asSubclass(HasMetadata.class));
                }
            }
        }
        for (String name : names) {
            Class<?> type = load(name, name);
            if (!isKind(type)) {
                throw new GeneratorException(name
                        + " is not a kind: it must implement HasMetadata, be annotated with @Group and @Version, and"
                        + " not be abstract");
            }
            found.put(name, type.asSubclass(HasMetadata.class));
        }
        return List.copyOf(found.values());
    }

    /**
     * Find annotated classes, sorted by name.
     *
     * @param folders folders with compiled classes
     * @param annotations annotations of which a class has one
     * @throws GeneratorException if a class cannot be loaded
     */
    public static List<Class<?>> annotated(
            Collection<Path> folders, Collection<Class<? extends Annotation>> annotations) {
        Map<String, Class<?>> found = new TreeMap<>();
        for (Path folder : folders) {
            for (Class<?> type : classes(folder, annotations)) {
                if (annotations.stream().anyMatch(type::isAnnotationPresent)) {
                    found.put(type.getName(), type);
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static List<? extends Class<?>> classes(
            Path folder, Collection<? extends Class<? extends Annotation>> annotations) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> mentions(file, annotations))
                    .map(file -> load(className(folder.relativize(file)), file.toString()))
                    .toList();
        } catch (IOException e) {
            throw new GeneratorException("Cannot search " + folder + " for classes: " + e.getMessage(), e);
        }
    }

    /** Loading a class needs all that it extends, so those without the annotation are left alone. */
    private static boolean mentions(Path file, Collection<? extends Class<? extends Annotation>> annotations) {
        try {
            String constants = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return annotations.stream().anyMatch(one -> constants.contains(one.descriptorString()));
        } catch (IOException e) {
            throw new GeneratorException("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static String className(Path file) {
        String name = file.toString().replace(file.getFileSystem().getSeparator(), ".");
        return name.substring(0, name.length() - ".class".length());
    }

    private static Class<?> load(String name, String origin) {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new GeneratorException(
                    "Cannot load the class " + origin + ": " + e + ". Are all libraries on the class path?", e);
        }
    }

    private static boolean isKind(Class<?> type) {
        return HasMetadata.class.isAssignableFrom(type)
                && type.isAnnotationPresent(Group.class)
                && type.isAnnotationPresent(Version.class)
                && !Modifier.isAbstract(type.getModifiers());
    }
}
