package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A folder in which some files belong to the generator and all others to people. A record of digests shows whether people
 * have edited a generated file: then nothing is overwritten, and the message says what to do. A file that people have
 * taken over is listed as kept.
 */
final class ManagedFiles {

    static final String RECORD = ".reconciler4j.yaml";

    private static final String HEADER = """
            # Files that the generator writes, with the digest of what it wrote. To take over a file for good, move its path
            # from 'generated' to the list 'kept'.
            """;

    private final Path folder;
    private final Map<String, String> digests = new TreeMap<>();
    private final Set<String> kept = new TreeSet<>();
    private final Map<String, String> generated = new TreeMap<>();
    private final Map<String, String> initial = new LinkedHashMap<>();

    ManagedFiles(Path folder) {
        this.folder = folder;
        String record = read(RECORD);
        if (record != null) {
            Map<String, Object> tree = Yaml.read(record, folder.resolve(RECORD).toString());
            if (tree.get("generated") instanceof Map<?, ?> map) {
                map.forEach((path, digest) -> digests.put(String.valueOf(path), String.valueOf(digest)));
            }
            if (tree.get("kept") instanceof List<?> list) {
                list.forEach(path -> kept.add(String.valueOf(path)));
            }
        }
    }

    /** Returns the text of a file, null if it does not exist. */
    @Nullable
    String read(String path) {
        try {
            Path file = folder.resolve(path);
            return Files.exists(file) ? Files.readString(file) : null;
        } catch (IOException e) {
            throw new GeneratorException("Cannot read " + folder.resolve(path) + ": " + e.getMessage(), e);
        }
    }

    /** Adds a file that the generator owns. */
    void generate(String path, String text) {
        if (!kept.contains(path)) {
            generated.put(path, text);
        }
    }

    /** Adds a file that people own; what is given here is written if the text differs from what is there. */
    void put(String path, String text) {
        initial.put(path, text);
    }

    /** Adds a file that people own and that is written only if it is missing. */
    void putIfAbsent(String path, String text) {
        if (read(path) == null) {
            initial.put(path, text);
        }
    }

    /**
     * Writes everything, or nothing if a file of the generator has been edited.
     *
     * @param force whether edited files are overwritten
     */
    void write(boolean force) {
        List<String> edited = new ArrayList<>();
        Set<String> stale = new TreeSet<>(digests.keySet());
        stale.removeAll(generated.keySet());
        stale.removeAll(kept);
        stale.removeIf(path -> read(path) == null);
        generated.forEach((path, text) -> {
            String current = read(path);
            if (current != null && !current.equals(text) && !digest(current).equals(digests.get(path))) {
                edited.add(path);
            }
        });
        stale.stream()
                .filter(path -> !digest(String.valueOf(read(path))).equals(digests.get(path)))
                .forEach(edited::add);
        if (!edited.isEmpty() && !force) {
            throw new GeneratorException("In " + folder + " these files belong to the generator but were edited: "
                    + String.join(", ", edited)
                    + ". Move the change into values.yaml or a template of its own, or list the"
                    + " file under 'kept' in " + RECORD + ", or overwrite all of them with force (R4J-721)");
        }
        stale.forEach(this::delete);
        generated.forEach(this::save);
        initial.forEach(this::save);
        save(RECORD, record());
    }

    /** Returns the paths that {@link #write} would change. */
    List<String> differences() {
        Map<String, String> wanted = new TreeMap<>(generated);
        wanted.putAll(initial);
        wanted.put(RECORD, record());
        List<String> different = new ArrayList<>();
        wanted.forEach((path, text) -> {
            if (!text.equals(read(path))) {
                different.add(path);
            }
        });
        digests.keySet().stream()
                .filter(path -> !generated.containsKey(path) && !kept.contains(path) && read(path) != null)
                .forEach(different::add);
        return different;
    }

    private String record() {
        Map<String, Object> tree = new LinkedHashMap<>();
        Map<String, String> written = new TreeMap<>();
        generated.forEach((path, text) -> written.put(path, digest(text)));
        tree.put("generated", written);
        tree.put("kept", List.copyOf(kept));
        return HEADER + Yaml.write(tree);
    }

    private void save(String path, String text) {
        if (text.equals(read(path))) {
            return;
        }
        try {
            Path file = folder.resolve(path);
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new GeneratorException("Cannot write " + folder.resolve(path) + ": " + e.getMessage(), e);
        }
    }

    private void delete(String path) {
        try {
            Files.deleteIfExists(folder.resolve(path));
        } catch (IOException e) {
            throw new GeneratorException("Cannot delete " + folder.resolve(path) + ": " + e.getMessage(), e);
        }
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(text.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
