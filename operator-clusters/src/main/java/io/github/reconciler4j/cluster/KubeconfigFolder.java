package io.github.reconciler4j.cluster;

import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.source.RequestSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster for each kubeconfig in a folder, such as a mounted Secret. The name of the cluster is that of the file without the
 * extension {@code .yaml}, {@code .yml}, {@code .conf} or {@code .kubeconfig}; other files and hidden files are ignored. The
 * folder is read every 10 seconds, since mounted volumes report no changes. The cluster joins when the file appears, joins again
 * when its content changes, and leaves when it is deleted. While the content is not valid, the cluster stays as it was.
 *
 * <p>The files are trusted: they may execute commands for credentials and refer to other files. They mean what they mean to {@code
 * kubectl}; see {@link Kubeconfig}. Thread-safe.
 *
 * <!-- snippet: ClusterUse -->
 * <pre>{@code
 * ClusterProviders.add(manager, KubeconfigFolder.of(Path.of("/etc/clusters")));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class KubeconfigFolder implements ClusterProvider {

    private static final Logger LOG = LoggerFactory.getLogger(KubeconfigFolder.class);
    private static final List<String> EXTENSIONS = List.of(".yaml", ".yml", ".conf", ".kubeconfig");

    private final Path folder;
    private final Duration interval;
    private final AtomicBoolean isMissing = new AtomicBoolean();

    private KubeconfigFolder(Path folder, Duration interval) {
        this.folder = folder;
        this.interval = interval;
    }

    /** Return a provider for the files of a folder, which need not exist yet. */
    public static KubeconfigFolder of(Path folder) {
        return new KubeconfigFolder(folder, Duration.ofSeconds(10));
    }

    /**
     * Return a copy of this provider that reads the folder at another interval.
     *
     * @throws IllegalArgumentException if the interval is not positive
     */
    public KubeconfigFolder withInterval(Duration newInterval) {
        if (newInterval.isZero() || newInterval.isNegative()) {
            throw new IllegalArgumentException("'interval' must be positive, was " + newInterval);
        }
        return new KubeconfigFolder(folder, newInterval);
    }

    @Override
    public String name() {
        return "folder";
    }

    @Override
    public RequestSource<String> source() {
        return PollSource.ofAll("kubeconfigs in " + folder, interval, this::checksums);
    }

    private Map<String, String> checksums() throws IOException {
        Map<String, String> checksums = new TreeMap<>();
        for (Map.Entry<String, Path> file : files().entrySet()) {
            try {
                checksums.put(file.getKey(), Checksums.of(content(file.getValue())));
            } catch (NoSuchFileException e) {
                continue; // deleted since
            } catch (IOException e) {
                checksums.put(file.getKey(), "unreadable"); // which is reported when the cluster is looked for
            }
        }
        return checksums;
    }

    /** Returns what a file contains, which need not be a text. */
    private static String content(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private Map<String, Path> files() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        if (hasFolder()) {
            try (Stream<Path> all = Files.list(folder)) {
                all.sorted()
                        .filter(Files::isRegularFile)
                        .forEach(file -> clusterOf(file).ifPresent(cluster -> files.putIfAbsent(cluster, file)));
            }
        }
        return files;
    }

    /** Says once that the folder does not exist, because clusters of a folder with a misspelled name are just not there. */
    private boolean hasFolder() {
        boolean exists = Files.isDirectory(folder);
        if (isMissing.getAndSet(!exists) == exists) {
            if (exists) {
                LOG.info("The folder {} with kubeconfigs of clusters exists now", folder);
            } else {
                LOG.warn(
                        "The folder {} with kubeconfigs of clusters does not exist, so it has no clusters: create it, or"
                                + " correct its path, reconciler4j.clusters.folder (R4J-211)",
                        folder.toAbsolutePath());
            }
        }
        return exists;
    }

    private static Optional<String> clusterOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return EXTENSIONS.stream()
                .filter(extension -> name.endsWith(extension) && !name.startsWith("."))
                .map(extension -> name.substring(0, name.length() - extension.length()))
                .findFirst();
    }

    @Override
    public Optional<Definition> find(String cluster) throws IOException {
        Path file = files().get(cluster);
        if (file == null) {
            return Optional.empty();
        }
        try {
            String checksum = Checksums.of(content(file)); // of what is read next, or of what it replaces
            return Optional.of(new Definition(Kubeconfig.ofFile(file).read(), checksum));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "KubeconfigFolder[" + folder + "]";
    }
}
