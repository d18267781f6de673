package io.github.reconciler4j.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The packaged jar, extracted, with an archive of its classes. A start takes less than half of the processor time. Made once
 * for a build, by the first JVM of tests that needs it.
 *
 * @param jar the extracted jar
 * @param archive the archive of the classes, for {@code -XX:SharedArchiveFile}
 */
record FastJar(Path jar, Path archive) {

    private static final Path FOLDER = Path.of("target", "fast-jar");

    /** Options of the JVM that must not differ between the dump of the archive and its use. */
    static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    static FastJar of(Path packaged, String java) {
        Path folder = FOLDER.toAbsolutePath();
        FastJar fast =
                new FastJar(folder.resolve("app").resolve(packaged.getFileName()), folder.resolve("classes.jsa"));
        try {
            Files.createDirectories(folder);
            try (FileChannel file =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                file.lock(); // until the channel is closed
                if (!isNewer(fast.archive, packaged)) {
                    fast.make(packaged, java, folder);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return fast;
    }

    private static boolean isNewer(Path made, Path source) throws IOException {
        return Files.exists(made) && Files.getLastModifiedTime(made).compareTo(Files.getLastModifiedTime(source)) > 0;
    }

    private void make(Path packaged, String java, Path folder) throws IOException, InterruptedException {
        Files.deleteIfExists(archive);
        run(
                folder,
                List.of(
                        java,
                        "-Djarmode=tools",
                        "-jar",
                        packaged.toAbsolutePath().toString(),
                        "extract",
                        "--force",
                        "--destination",
                        folder.resolve("app").toString()));
        // The context is refreshed and closed: nothing asks this API server.
        Path kubeconfig = folder.resolve("kubeconfig");
        Files.writeString(kubeconfig, """
                {"apiVersion": "v1", "kind": "Config", "current-context": "none",
                 "clusters": [{"name": "none", "cluster": {"server": "http://127.0.0.1:1"}}],
                 "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
                 "users": [{"name": "none", "user": {"token": "none"}}]}
                """);
        List<String> training = new ArrayList<>(List.of(java, "-XX:ArchiveClassesAtExit=" + archive));
        training.addAll(OPTIONS);
        training.addAll(List.of(
                "-Dspring.context.exit=onRefresh",
                "-jar",
                jar.toString(),
                "--server.port=0",
                "--reconciler4j.client.kubeconfig=" + kubeconfig));
        run(folder, training);
        if (!Files.exists(archive)) {
            throw new IllegalStateException("No archive of classes:\n" + Files.readString(folder.resolve("log")));
        }
    }

    private static void run(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " failed:\n" + Files.readString(folder.resolve("log")));
        }
    }
}
