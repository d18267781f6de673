package io.github.reconciler4j.sharding;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The reconciliations of a process, in a file that also a process that was killed has written. Times are those of
 * {@link System#nanoTime}, which the processes of a machine share.
 */
final class RunJournal implements AutoCloseable {

    /** Not a channel, which an interrupted reconciliation would close. */
    private final FileOutputStream file;

    RunJournal(Path path) throws IOException {
        file = new FileOutputStream(path.toFile(), true);
    }

    /**
     * A reconciliation.
     *
     * @param process the process
     * @param key the object
     * @param start when it started
     * @param end when it ended, at the latest when its process did
     */
    record Run(String process, String key, long start, long end) {}

    void started(String key) throws IOException {
        write('S', key);
    }

    void ended(String key) throws IOException {
        write('E', key);
    }

    private void write(char what, String key) throws IOException {
        file.write((what + " " + System.nanoTime() + " " + key + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Returns the reconciliations of a process that ended no later than at a time. */
    static List<Run> read(Path path, String process, long ended) throws IOException {
        List<Run> runs = new ArrayList<>();
        Map<String, Long> open = new HashMap<>();
        for (String line : Files.exists(path) ? Files.readAllLines(path) : List.<String>of()) {
            String[] parts = line.split(" ");
            long time = Long.parseLong(parts[1]);
            if (parts[0].equals("S")) {
                Long before = open.put(parts[2], time);
                if (before != null) { // two at the same time in one process
                    runs.add(new Run(process, parts[2], before, ended));
                }
            } else {
                runs.add(new Run(process, parts[2], open.remove(parts[2]), time));
            }
        }
        open.forEach((key, start) -> runs.add(new Run(process, key, start, ended)));
        return runs;
    }
}
