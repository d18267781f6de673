package io.github.reconciler4j.support;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines of libraries that Reconciler4j works with, such as 4.0 and 4.1 of Spring Boot. Each module names them in a file
 * {@value #FILE}. A library of another line would end the application with a linkage error, now or later; the check ends it with
 * a sentence that says what to change. A library without a version in its jar passes. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SupportedVersions {

    static final String FILE = "META-INF/reconciler4j/supported-versions.properties";

    private static final Pattern LINE = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9})(?![0-9]).*", Pattern.DOTALL);

    private static volatile boolean checked;

    private SupportedVersions() {}

    /**
     * Check the libraries of the class loader of Reconciler4j. After the first call that has found nothing, this does nothing.
     *
     * @throws UnsupportedVersionException if a library has a version that Reconciler4j does not work with
     */
    public static void check() {
        if (!checked) {
            check(Objects.requireNonNullElse(
                    SupportedVersions.class.getClassLoader(), ClassLoader.getSystemClassLoader()));
            checked = true;
        }
    }

    /**
     * Check the libraries of a class loader.
     *
     * @throws UnsupportedVersionException if a library has a version that Reconciler4j does not work with
     */
    public static void check(ClassLoader loader) {
        Set<String> problems = new LinkedHashSet<>(); // a file can be on the class path twice
        Set<String> fixes = new LinkedHashSet<>();
        for (Library library : libraries(loader)) {
            String found = library.version(loader);
            if (found != null && !library.works(found)) {
                problems.add(library.artifact + " has the version " + Texts.inOneLine(found)
                        + ", but Reconciler4j works with " + enumeration(library.lines));
                fixes.add(library.fix);
            }
        }
        if (!problems.isEmpty()) {
            throw new UnsupportedVersionException(String.join("; ", problems) + " (R4J-050)", String.join(". ", fixes));
        }
    }

    private static List<Library> libraries(ClassLoader loader) {
        List<Library> libraries = new ArrayList<>();
        try {
            for (URL file : Collections.list(loader.getResources(FILE))) {
                Properties properties = read(file);
                for (String key : new TreeSet<>(properties.stringPropertyNames())) {
                    if (key.indexOf('.') < 0) {
                        libraries.add(Library.of(key, properties));
                    }
                }
            }
        } catch (IOException e) {
            return List.of(); // a class path that cannot be read fails with better messages elsewhere
        }
        return libraries;
    }

    private static Properties read(URL file) throws IOException {
        Properties properties = new Properties();
        try (InputStream content = file.openStream()) {
            properties.load(content);
        }
        return properties;
    }

    private static String enumeration(List<String> lines) {
        int last = lines.size() - 1;
        return last < 1
                ? lines.get(0)
                : lines.size() == 2 ? lines.get(0) + " and " + lines.get(1) : lines.get(0) + " to " + lines.get(last);
    }

    /** A library and its lines, the oldest first and without a gap. */
    private record Library(String artifact, String type, List<String> lines, String fix) {

        static Library of(String key, Properties properties) {
            return new Library(
                    properties.getProperty(key),
                    properties.getProperty(key + ".class"),
                    List.of(properties.getProperty(key + ".lines").split(" +")),
                    properties.getProperty(key + ".fix"));
        }

        /** Maven's file in the jar has the version, or the manifest; both stay in the jars of applications. */
        @Nullable
        String version(ClassLoader loader) {
            URL file = loader.getResource("META-INF/maven/" + artifact.replace(':', '/') + "/pom.properties");
            try {
                String version = file == null ? null : read(file).getProperty("version");
                return version != null
                        ? version
                        : Class.forName(type, false, loader).getPackage().getImplementationVersion();
            } catch (IOException | ClassNotFoundException | LinkageError e) {
                return null;
            }
        }

        /** Return whether the version is of one of the lines; also if it is not written as versions are. */
        boolean works(String version) {
            Matcher found = LINE.matcher(version);
            return !found.matches() || lines.contains(found.group(1) + "." + found.group(2));
        }
    }
}
