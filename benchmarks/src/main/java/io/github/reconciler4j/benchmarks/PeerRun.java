package io.github.reconciler4j.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One run of one peer, and what it has cost: the driver's half of the protocol that {@code Work} of the peers describes.
 * Prints a line of result. Arguments: the work, how many, the kind of objects, the name of the peer, the variant, then the
 * command that starts the peer. The environment names the cluster ({@code KUBECONFIG}), its audit log and the process of its
 * API server. The script {@code compare} runs it.
 */
final class PeerRun {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(15);
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final double NANOS = 1e9;

    private final String work;
    private final int count;
    private final Process process;
    private final ProcessCost cost;
    private final ProcessCost server = new ProcessCost(Long.parseLong(environment("API_SERVER")));
    private final AuditLog audit = new AuditLog(Path.of(environment("AUDIT_LOG")), "");
    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private final Map<String, Object> figures = new LinkedHashMap<>();

    /** A line that the peer has written, and when. */
    private record Line(String text, long nanos) {

        /** One of the numbers in a mark: the processor time, the bytes that were allocated. */
        long number(int index) {
            return Long.parseLong(text.split(" ")[2 + index]);
        }
    }

    private PeerRun(String work, int count, List<String> command) throws IOException {
        this.work = work;
        this.count = count;
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.cost = new ProcessCost(process.pid());
    }

    /** Run it. */
    public static void main(String[] arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(arguments).subList(5, arguments.length));
        command.addAll(List.of(arguments).subList(0, 3));
        long start = System.nanoTime();
        PeerRun run = new PeerRun(arguments[0], Integer.parseInt(arguments[1]), command);
        try {
            run.measure(start);
            run.end();
        } finally {
            run.process.destroyForcibly();
        }
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "RESULT work=%s/%s peer=%s variant=%s objects=%d",
                arguments[0],
                arguments[2],
                arguments[3],
                arguments[4],
                run.count));
        run.figures.forEach(
                (name, value) -> line.append(' ').append(name).append('=').append(value));
        System.out.println(line);
    }

    private void measure(long start) throws Exception {
        double serverBefore = server.processorSeconds();
        Thread reader = new Thread(this::read, "peer");
        reader.setDaemon(true);
        reader.start();
        switch (work) {
            case "drain", "drain10", "reconcile", "apply", "write" -> interval();
            case "events" -> events();
            default -> {
                put("seconds", "%.2f", (await("MARK done").nanos() - start) / NANOS);
                if (work.equals("converge")) {
                    awaitQuiet();
                }
                put("processor", "%.2f", cost.processorSeconds());
            }
        }
        put("server", "%.2f", server.processorSeconds() - serverBefore);
        put("peakMB", "%.0f", (double) cost.peakMemory());
        AuditLog.Counts counts = audit.next();
        put("heapMB", "%.1f", heap() / 1048576.0);
        figures.put("requests", counts.all());
        figures.put("conflicts", counts.conflicts());
        figures.put("refused", counts.refused());
        figures.put(
                "verbs",
                counts.byVerb()
                        .toString()
                        .replaceAll("[{}]", "")
                        .replace(", ", ",")
                        .replace(' ', '/'));
    }

    /** The processor time between two marks, as the peer itself reads it. */
    private void interval() throws Exception {
        Line first = await("MARK first");
        ProcessCost.Activity before = cost.activity();
        Line last = await("MARK done");
        activity(before, count);
        double processor = (last.number(0) - first.number(0)) / NANOS;
        put("alloc_B", "%.0f", (double) (last.number(1) - first.number(1)) / count);
        put("seconds", "%.3f", (last.nanos() - first.nanos()) / NANOS);
        put("processor", "%.3f", processor);
        put("each_us", "%.2f", processor * 1e6 / count);
    }

    /** What writes cost after all objects were reconciled once, and how late they arrive; {@code EventLoad} says the rest. */
    private void events() throws Exception {
        await("MARK first");
        TimeUnit.NANOSECONDS.sleep(QUIET.toNanos());
        double before = cost.processorSeconds();
        ProcessCost.Activity activity = cost.activity();
        long allocated = Long.parseLong(ask("allocated"));
        EventLoad.Latencies bare = EventLoad.run(environment("KUBECONFIG"), count);
        put("alloc_B", "%.0f", (double) (Long.parseLong(ask("allocated")) - allocated) / bare.count());
        activity(activity, bare.count());
        double processor = cost.processorSeconds() - before;
        put("processor", "%.2f", processor);
        put("each_us", "%.1f", processor * 1e6 / bare.count());
        String[] latencies = ask("latencies").split(" ");
        figures.put("events", latencies[0] + "/" + bare.count());
        put("rate", "%.0f", bare.rate());
        put("p50_ms", "%.2f", Long.parseLong(latencies[1]) / 1e3);
        put("p99_ms", "%.2f", Long.parseLong(latencies[2]) / 1e3);
        put("bare_p50_ms", "%.2f", bare.median() / 1e3);
        put("bare_p99_ms", "%.2f", bare.percentile99() / 1e3);
    }

    /** What the process has done since then, for each of a number of reconciliations or writes. */
    private void activity(ProcessCost.Activity before, int divisor) throws IOException {
        ProcessCost.Activity after = cost.activity();
        put("switches", "%.2f", (double) (after.switches() - before.switches()) / divisor);
        put("reads", "%.2f", (double) (after.reads() - before.reads()) / divisor);
        put("writes", "%.2f", (double) (after.writes() - before.writes()) / divisor);
    }

    /** What comes after the last object belongs to the work, too: events of own writes, retries. */
    private void awaitQuiet() throws IOException, InterruptedException {
        long size = -1;
        for (long now = auditSize(); now != size; now = auditSize()) {
            size = now;
            TimeUnit.NANOSECONDS.sleep(QUIET.toNanos());
        }
    }

    private static long auditSize() throws IOException {
        return Files.size(Path.of(environment("AUDIT_LOG")));
    }

    private double heap() throws Exception {
        return Double.parseDouble(ask("heap"));
    }

    /** What the peer answers to a command, after its name. */
    private String ask(String command) throws Exception {
        Writer commands = process.outputWriter(StandardCharsets.US_ASCII);
        commands.write(command + "\n");
        commands.flush();
        String name = command.toUpperCase(Locale.ROOT) + " ";
        return await(name).text().substring(name.length());
    }

    private Line await(String start) throws Exception {
        long deadline = System.nanoTime() + TIME_LIMIT.toNanos();
        while (true) {
            Line line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new TimeoutException("No '" + start + "' from the peer");
            }
            if (line.text().startsWith(start)) {
                return line;
            }
            if (line.text().isEmpty() && !process.isAlive()) {
                throw new IllegalStateException("The peer ended with " + process.exitValue());
            }
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(new Line(line.isEmpty() ? " " : line, System.nanoTime()));
            }
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lines.add(new Line("", System.nanoTime()));
    }

    /** The end is a regular one: a training run writes its cache then. */
    private void end() throws IOException, InterruptedException {
        process.outputWriter(StandardCharsets.US_ASCII).close();
        if (!process.waitFor(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("The peer does not end");
        }
    }

    private void put(String name, String format, double value) {
        figures.put(name, String.format(Locale.ROOT, format, value));
    }

    private static String environment(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException("The environment variable " + name + " is missing");
        }
        return value;
    }
}
