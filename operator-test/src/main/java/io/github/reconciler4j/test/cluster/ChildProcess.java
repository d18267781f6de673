package io.github.reconciler4j.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that ends when this JVM ends, however that comes about: beside it a shell waits for the end of its input,
 * which is a pipe from here, and then kills it and deletes its folder.
 *
 * @param shell the process around the program, which ends with it
 * @param log what the program says
 */
record ChildProcess(Process shell, Path log) {
    private static final int SHOWN_LINES = 15;
    private static final String SCRIPT = """
            exec 3<&0
            folder=$1
            shift
            "$@" 3<&- &
            program=$!
            (read -r end <&3; trap "" TERM; kill -9 $program; rm -rf "$folder") 2>/dev/null &
            reader=$!
            wait $program
            kill $reader
            """;

    static ChildProcess start(Path folder, Path program, List<String> arguments) throws IOException {
        Path log = folder.resolve(program.getFileName() + ".log");
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", folder.toString(), program.toString()));
        command.addAll(arguments);
        Process shell = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new ChildProcess(shell, log);
    }

    /** Whether the program runs. */
    boolean isAlive() {
        return shell.isAlive();
    }

    /** Ends the program and deletes its folder, soon. */
    void end() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            shell.destroyForcibly();
        }
    }

    /** The last lines that the program said. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return log.getFileName() + ":\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
