package io.github.reconciler4j.test.cluster.internal;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** Reads the custom resource definitions on the class path, from folders and from jars. */
public final class DefinitionFiles {

    /** A definition and the text of its file. */
    record Entry(CustomResourceDefinition definition, String text) {}

    private static final List<String> ENDINGS = List.of(".yml", ".yaml", ".json");

    private DefinitionFiles() {}

    /** Return the definitions in the files of these locations, one for each name. Of several files the first wins. */
    public static List<CustomResourceDefinition> read(List<String> locations, KubernetesSerialization serialization) {
        return entries(locations, serialization).values().stream()
                .map(Entry::definition)
                .toList();
    }

    /** Return the definitions by name, with their files. */
    static Map<String, Entry> entries(List<String> locations, KubernetesSerialization serialization) {
        Map<String, Entry> definitions = new LinkedHashMap<>();
        for (URL file : find(locations)) {
            for (Entry entry : read(file, serialization)) {
                definitions.putIfAbsent(entry.definition().getMetadata().getName(), entry);
            }
        }
        return definitions;
    }

    private static List<Entry> read(URL file, KubernetesSerialization serialization) {
        try (InputStream content = file.openStream()) {
            String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
            Object parsed = serialization.unmarshal(text);
            List<?> objects = parsed instanceof KubernetesResourceList<?> list
                    ? list.getItems()
                    : parsed instanceof List<?> several ? several : parsed == null ? List.of() : List.of(parsed);
            return objects.stream()
                    .filter(CustomResourceDefinition.class::isInstance)
                    .map(definition -> new Entry((CustomResourceDefinition) definition, text))
                    .toList();
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("Could not read the custom resource definitions in " + file, e);
        }
    }

    /** Return the files, in the order of the locations, of the class path and then of names. */
    private static List<URL> find(List<String> locations) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Map<String, URL> found = new LinkedHashMap<>();
        try {
            for (String location : locations) {
                for (URL url : find(loader, location)) {
                    found.putIfAbsent(url.toString(), url);
                }
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("Could not search the class path for " + locations, e);
        }
        return List.copyOf(found.values());
    }

    private static List<URL> find(ClassLoader loader, String location) throws IOException, URISyntaxException {
        List<URL> matches = Collections.list(loader.getResources(location));
        if (isFile(location)) {
            if (matches.isEmpty()) {
                throw new IllegalStateException("There is no " + location + " on the class path");
            }
            return matches;
        }
        List<URL> files = new ArrayList<>();
        for (URL folder : matches) {
            if (folder.openConnection() instanceof JarURLConnection jar) {
                files.addAll(inJar(jar, location));
            } else if (folder.getProtocol().equals("file")) {
                files.addAll(inFolder(folder));
            }
        }
        return files;
    }

    private static List<URL> inFolder(URL folder) throws IOException, URISyntaxException {
        File[] children = new File(folder.toURI()).listFiles(file -> isFile(file.getName()));
        List<URL> files = new ArrayList<>();
        if (children != null) {
            Arrays.sort(children);
            for (File child : children) {
                files.add(child.toURI().toURL());
            }
        }
        return files;
    }

    private static List<URL> inJar(JarURLConnection connection, String folder) throws IOException, URISyntaxException {
        try (JarFile jar = new JarFile(new File(connection.getJarFileURL().toURI()))) {
            String base = "jar:" + connection.getJarFileURL() + "!/";
            List<URL> files = new ArrayList<>();
            for (String name : jar.stream().map(ZipEntry::getName).sorted().toList()) {
                boolean isInside = name.startsWith(folder + "/") && name.indexOf('/', folder.length() + 1) < 0;
                if (isInside && isFile(name)) {
                    files.add(new URI(base + name).toURL());
                }
            }
            return files;
        }
    }

    private static boolean isFile(String name) {
        return ENDINGS.stream().anyMatch(name::endsWith);
    }
}
