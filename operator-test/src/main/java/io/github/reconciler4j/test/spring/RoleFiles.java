package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Reads the objects in files with roles. */
final class RoleFiles {

    /** Where the plugin writes the roles. */
    static final String GENERATED = "classpath:META-INF/reconciler4j/rbac.yaml";

    private static final Pattern SEPARATOR = Pattern.compile("(?m)^---([ \\t].*)?$");

    /** What a template of a chart has and a role has not, except in a comment. */
    private static final Pattern ACTION = Pattern.compile("(?m)^[^#\n]*\\{\\{");

    private RoleFiles() {}

    /** Return whether each of the places has a file. */
    static boolean exists(List<String> places) {
        return places.stream().noneMatch(place -> find(place).isEmpty());
    }

    /**
     * Read the objects of all files, in the order of the places and names.
     *
     * @throws IllegalStateException if a place has no file, or a file has something else than objects, such as a template of a chart
     */
    static List<HasMetadata> read(List<String> places) {
        List<HasMetadata> objects = new ArrayList<>();
        for (String place : places) {
            List<Resource> files = find(place);
            if (files.isEmpty()) {
                throw new IllegalStateException(
                        place.equals(GENERATED)
                                ? "There is no generated role: META-INF/reconciler4j/rbac.yaml is missing on the class path."
                                        + " Run the goal 'generate' of reconciler4j-maven-plugin before the tests (R4J-804)"
                                : "There is no file with roles at '" + place + "', seen from "
                                        + Path.of("").toAbsolutePath() + ": correct 'roles' of @OperatorTest");
            }
            files.forEach(file -> objects.addAll(read(file)));
        }
        return objects;
    }

    private static List<Resource> find(String place) {
        try {
            return place.startsWith("classpath:") ? onTheClassPath(place) : inFolders(place);
        } catch (FileNotFoundException e) {
            return List.of(); // the folder before the first asterisk does not exist
        } catch (IOException e) {
            throw new IllegalStateException("Cannot look for roles at '" + place + "'", e);
        }
    }

    private static List<Resource> onTheClassPath(String place) throws IOException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return Arrays.stream(new PathMatchingResourcePatternResolver(loader).getResources(place))
                .filter(Resource::exists)
                .sorted(Comparator.comparing(Resource::getDescription))
                .toList();
    }

    /** No URLs, in which some characters of a folder's name have a meaning. */
    private static List<Resource> inFolders(String place) throws IOException {
        int asterisk = place.indexOf('*');
        String folder = asterisk < 0 ? place : place.substring(0, place.lastIndexOf('/', asterisk) + 1);
        Path start = Path.of(folder);
        if (asterisk < 0 || !Files.isDirectory(start)) {
            return Files.isRegularFile(start) ? List.of(new FileSystemResource(start)) : List.of();
        }
        String pattern = place.substring(folder.length());
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        int depth = pattern.contains("**") ? Integer.MAX_VALUE : pattern.split("/").length;
        try (Stream<Path> files = Files.walk(start, depth)) {
            return files.filter(file -> Files.isRegularFile(file) && matcher.matches(start.relativize(file)))
                    .sorted()
                    .<Resource>map(FileSystemResource::new)
                    .toList();
        }
    }

    private static List<HasMetadata> read(Resource file) {
        String text = text(file);
        if (ACTION.matcher(text).find()) {
            throw new IllegalStateException(file.getDescription()
                    + " with roles is a template of a Helm chart: run 'helm template' first, and name the"
                    + " file that it writes in 'roles' of @OperatorTest (R4J-809)");
        }
        KubernetesSerialization serialization = new KubernetesSerialization();
        List<HasMetadata> objects = new ArrayList<>();
        for (String document : SEPARATOR.split(text)) {
            if (document.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
                continue;
            }
            objects.add(object(serialization, document, file));
        }
        return objects;
    }

    private static HasMetadata object(KubernetesSerialization serialization, String document, Resource file) {
        RuntimeException cause = null;
        try {
            if (serialization.unmarshal(document) instanceof HasMetadata object) {
                return object;
            }
        } catch (RuntimeException e) {
            cause = e;
        }
        throw new IllegalStateException(
                file.getDescription() + " with roles has a document that is no object of Kubernetes", cause);
    }

    private static String text(Resource file) {
        try {
            return file.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read roles from " + file.getDescription(), e);
        }
    }
}
