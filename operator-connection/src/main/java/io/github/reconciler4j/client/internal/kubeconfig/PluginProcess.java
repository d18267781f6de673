package io.github.reconciler4j.client.internal.kubeconfig;

import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of a command, without a shell and without input, which ends in time whatever the command does. */
final class PluginProcess {

    /** Larger output is no credential. */
    static final int MAX_OUTPUT = 1024 * 1024;

    private static final int MAX_ERRORS = 4 * 1024;
    private static final Duration AFTER_EXIT = Duration.ofSeconds(2);

    /**
     * What a run has resulted in.
     *
     * @param exitCode null if the command did not end in time
     * @param output the standard output, {@link #MAX_OUTPUT} bytes of it
     * @param errors the end of the standard error
     */
    record Result(@Nullable Integer exitCode, byte[] output, byte[] errors) {

        /** Nothing of the output, which is secret. */
        @Override
        public String toString() {
            return "Result[exitCode=" + exitCode + "]";
        }
    }

    private PluginProcess() {}

    /**
     * Run a command.
     *
     * @param environment the variables that are added to those of this process
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the thread is interrupted; the command is ended
     */
    static Result run(List<String> command, Map<String, String> environment, Duration limit)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(nothing());
        builder.environment().putAll(environment);
        Process process = builder.start();
        Pipe output = Pipe.read(process.getInputStream(), MAX_OUTPUT, true);
        Pipe errors = Pipe.read(process.getErrorStream(), MAX_ERRORS, false);
        try {
            boolean hasEnded = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (hasEnded) { // a process that it left running may keep the pipes open
                output.await(AFTER_EXIT);
                errors.await(AFTER_EXIT);
            }
            return new Result(hasEnded ? process.exitValue() : null, output.bytes(), errors.bytes());
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private static ProcessBuilder.Redirect nothing() {
        boolean isWindows = System.getProperty("os.name", "").startsWith("Windows");
        return ProcessBuilder.Redirect.from(new File(isWindows ? "NUL" : "/dev/null"));
    }

    /** Reads all that a process prints, so that it is never blocked, and keeps a part. */
    private static final class Pipe implements Runnable {

        private final InputStream in;
        private final int limit;
        private final boolean keepsStart;
        private final Thread thread;

        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        private Pipe(InputStream in, int limit, boolean keepsStart) {
            this.in = in;
            this.limit = limit;
            this.keepsStart = keepsStart;
            this.thread = Threads.daemon("client-plugin", this);
        }

        static Pipe read(InputStream in, int limit, boolean keepsStart) {
            Pipe pipe = new Pipe(in, limit, keepsStart);
            pipe.thread.start();
            return pipe;
        }

        @Override
        public void run() {
            byte[] buffer = new byte[4096];
            try (in) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    keep(buffer, count);
                }
            } catch (IOException e) {
                return; // the process has been ended
            }
        }

        private void keep(byte[] buffer, int count) {
            if (keepsStart) {
                kept.write(buffer, 0, Math.min(count, limit + 1 - kept.size()));
                return;
            }
            kept.write(buffer, 0, count);
            byte[] all = kept.toByteArray();
            if (all.length > limit) {
                kept.reset();
                kept.writeBytes(fromNextWord(Arrays.copyOfRange(all, all.length - limit, all.length)));
            }
        }

        /** Half a word may look harmless. */
        private static byte[] fromNextWord(byte[] text) {
            int start = 0;
            while (start < text.length && text[start] > ' ') {
                start++;
            }
            return Arrays.copyOfRange(text, start, text.length);
        }

        void await(Duration time) throws InterruptedException {
            Threads.joinInterruptibly(thread, Nanos.of(time));
        }

        byte[] bytes() {
            return kept.toByteArray();
        }
    }
}
