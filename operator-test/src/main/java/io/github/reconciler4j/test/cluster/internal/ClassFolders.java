package io.github.reconciler4j.test.cluster.internal;

import io.fabric8.kubernetes.model.annotation.Group;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folders of the class path that a compiler writes to, and what their files say about kinds. */
final class ClassFolders {

    private static final Pattern NAME = Pattern.compile("[\\w/$]+");
    private static final List<String> TESTS = List.of("test-classes", "test");

    private ClassFolders() {}

    /** Return the folders of the class path, without those of tests, whose kinds are not the application's. */
    static List<Path> find() {
        List<Path> folders = new ArrayList<>();
        try {
            for (URL url : Collections.list(
                    Thread.currentThread().getContextClassLoader().getResources(""))) {
                if (url.getProtocol().equals("file")) {
                    Path folder = Path.of(new URI(url.toString()));
                    if (!isOfTests(folder)) {
                        folders.add(folder);
                    }
                }
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("Could not search the class path for folders", e);
        }
        return folders;
    }

    /** Maven has {@code target/test-classes}, Gradle {@code classes/java/test}, and IntelliJ IDEA {@code out/test/NAME}. */
    private static boolean isOfTests(Path folder) {
        int names = folder.getNameCount();
        return names > 1
                && (TESTS.contains(folder.getName(names - 1).toString())
                        || folder.getName(names - 2).toString().equals("test"));
    }

    /** Return the names of the classes of kinds, with a digest of them and of all classes in the folder that they refer to. */
    static Map<String, String> kinds(Collection<Path> folders) {
        Map<String, String> kinds = new TreeMap<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".class")).toList()) {
                    if (text(file).contains(Group.class.descriptorString())) {
                        kinds.put(name(folder.relativize(file)), digest(folder, file));
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException("Could not read the classes in " + folder, e);
            }
        }
        return kinds;
    }

    private static String name(Path file) {
        String name = file.toString().replace(file.getFileSystem().getSeparator(), ".");
        return name.substring(0, name.length() - ".class".length());
    }

    private static String digest(Path folder, Path kind) throws IOException {
        Collection<Path> seen = new TreeSet<>(List.of(kind));
        Deque<Path> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            Matcher names = NAME.matcher(text(open.remove()));
            while (names.find()) {
                // What is in front of a name may be a letter: the L of a descriptor, or the length of the name.
                for (String name : List.of(names.group(), names.group().substring(1))) {
                    Path file = folder.resolve(name.startsWith("/") ? "." : name + ".class");
                    if (Files.isRegularFile(file) && seen.add(file)) {
                        open.add(file);
                    }
                }
            }
        }
        MessageDigest digest = sha256();
        for (Path file : seen) {
            digest.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
