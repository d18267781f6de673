package io.github.reconciler4j.test.cluster;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;

/** Finds files in folders of the class path, in directories and in jars. */
final class ClassPathFiles {
    private ClassPathFiles() {}

    /**
     * Returns the files right inside the places that have one of the endings, and those places that are such a file, in
     * the order of the class path and then of names.
     */
    static List<URL> find(List<String> places, List<String> endings) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Map<String, URL> found = new LinkedHashMap<>();
        try {
            for (String place : places) {
                for (URL url : find(loader, place, endings)) {
                    found.putIfAbsent(url.toString(), url);
                }
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("The class path cannot be searched for " + places, e);
        }
        return List.copyOf(found.values());
    }

    private static List<URL> find(ClassLoader loader, String place, List<String> endings)
            throws IOException, URISyntaxException {
        if (hasEnding(place, endings)) {
            List<URL> files = Collections.list(loader.getResources(place));
            if (files.isEmpty()) {
                throw new IllegalStateException("There is no " + place + " on the class path");
            }
            return files;
        }
        List<URL> files = new ArrayList<>();
        for (URL folder : Collections.list(loader.getResources(place))) {
            if (folder.openConnection() instanceof JarURLConnection jar) {
                files.addAll(inJar(jar, place, endings));
            } else if (folder.getProtocol().equals("file")) {
                files.addAll(inFolder(folder, endings));
            }
        }
        return files;
    }

    private static List<URL> inFolder(URL folder, List<String> endings) throws IOException, URISyntaxException {
        File[] children = new File(folder.toURI()).listFiles(file -> hasEnding(file.getName(), endings));
        List<URL> files = new ArrayList<>();
        if (children != null) {
            Arrays.sort(children);
            for (File child : children) {
                files.add(child.toURI().toURL());
            }
        }
        return files;
    }

    private static List<URL> inJar(JarURLConnection connection, String place, List<String> endings)
            throws IOException, URISyntaxException {
        try (JarFile jar = new JarFile(new File(connection.getJarFileURL().toURI()))) {
            String base = "jar:" + connection.getJarFileURL() + "!/";
            List<URL> files = new ArrayList<>();
            for (String name :
                    jar.stream().map(entry -> entry.getName()).sorted().toList()) {
                boolean isInside = name.startsWith(place + "/") && name.indexOf('/', place.length() + 1) < 0;
                if (isInside && hasEnding(name, endings)) {
                    files.add(new URI(base + name).toURL());
                }
            }
            return files;
        }
    }

    private static boolean hasEnding(String name, List<String> endings) {
        return endings.stream().anyMatch(name::endsWith);
    }
}
