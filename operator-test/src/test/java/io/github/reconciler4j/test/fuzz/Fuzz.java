package io.github.reconciler4j.test.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Feeds a parser with damaged input, starting from the files in {@code src/test/resources/fuzz/NAME}. An input with an outcome that is
 * new is damaged further, so that the search gets deeper than the files.
 *
 * <p>The build runs the same {@value #ROUNDS} inputs each time. {@code -Dfuzz.seconds=60} runs so long with other seeds, and writes
 * inputs with new outcomes to {@code target/fuzz/NAME}; copy the useful ones to the corpus. {@code -Dfuzz.seed=7} chooses the seed. An
 * input with a violation is in {@code target/fuzz/NAME} as well: copied to the corpus, it becomes a test.
 */
public final class Fuzz {

    private static final int ROUNDS = 3_000;
    private static final int KEPT = 400;
    private static final int SHOWN = 20;
    private static final long SLOW = Duration.ofSeconds(5).toNanos();

    /** A parser under test. */
    @FunctionalInterface
    public interface Parser {

        /** Parse an input completely. */
        void parse(byte[] input) throws Exception;
    }

    /** What an input led to. */
    private record Outcome(String signature, boolean isViolation) {}

    private final String name;
    private final Parser parser;
    private final List<Class<?>> refusals;
    private final List<byte[]> corpus;
    private final Map<String, byte[]> outcomes = new HashMap<>();
    private final Map<String, String> violations = new TreeMap<>();

    private Fuzz(String name, Parser parser, List<Class<?>> refusals) {
        this.name = name;
        this.parser = parser;
        this.refusals = refusals;
        this.corpus = corpus(name);
    }

    /**
     * Run a parser. It must accept each input or refuse it with one of the given exceptions, within 5 seconds, and no message may contain
     * the text {@link Mutations#SECRET}, which stands for contents in the files.
     */
    public static void run(String name, Parser parser, Class<?>... refusals) {
        new Fuzz(name, parser, List.of(refusals)).run();
    }

    private static List<byte[]> corpus(String name) {
        try (Stream<Path> files = Files.list(Path.of("src", "test", "resources", "fuzz", name))) {
            List<byte[]> corpus = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
            return corpus;
        } catch (IOException e) {
            throw new UncheckedIOException("The corpus of '" + name + "' cannot be read", e);
        }
    }

    private void run() {
        assertThat(corpus).as("files in src/test/resources/fuzz/%s", name).isNotEmpty();
        int accepted = 0;
        for (byte[] file : List.copyOf(corpus)) {
            accepted += tryInput(file, "file") ? 1 : 0;
        }
        assertThat(accepted).as("files of the corpus that the parser accepts").isPositive();
        long seconds = Long.getLong("fuzz.seconds", 0);
        long seed = Long.getLong("fuzz.seed", seconds == 0 ? 1 : System.nanoTime());
        long started = System.nanoTime();
        int round = 0;
        while (seconds == 0
                ? round < ROUNDS
                : System.nanoTime() - started < Duration.ofSeconds(seconds).toNanos()) {
            Mutations mutations = new Mutations(new Random(seed + round), corpus);
            accepted += tryInput(mutations.next(), "seed " + (seed + round)) ? 1 : 0;
            round++;
        }
        report(round, accepted, seed, Duration.ofNanos(System.nanoTime() - started));
        assertThat(violations)
                .as("violations, whose inputs are in target/fuzz/%s", name)
                .isEmpty();
    }

    /** Returns whether the parser accepted the input. */
    private boolean tryInput(byte[] input, String origin) {
        long started = System.nanoTime();
        Outcome outcome = outcome(input);
        if (System.nanoTime() - started > SLOW) {
            outcome = new Outcome("takes more than 5 s", true);
        }
        if (outcome.isViolation() && violations.size() < SHOWN) {
            violations.putIfAbsent(outcome.signature(), origin + ", " + keep("violation", input));
        }
        if (outcomes.size() < KEPT && outcomes.putIfAbsent(outcome.signature(), input) == null) {
            corpus.add(input);
            if (Long.getLong("fuzz.seconds", 0) > 0) {
                keep("outcome", input);
            }
        }
        return outcome.signature().equals("accepted");
    }

    private Outcome outcome(byte[] input) {
        try {
            parser.parse(input);
            return new Outcome("accepted", false);
        } catch (Throwable e) {
            boolean refused = refusals.stream().anyMatch(type -> type.isInstance(e));
            boolean leaks = texts(e).contains(Mutations.SECRET);
            String skeleton = e.getClass().getSimpleName() + " " + skeleton(String.valueOf(e.getMessage()));
            return new Outcome((leaks ? "shows the content: " : "") + skeleton, !refused || leaks);
        }
    }

    /** Returns the messages of an exception and of its causes. */
    private static String texts(Throwable e) {
        StringBuilder texts = new StringBuilder();
        for (Throwable next = e; next != null; next = next.getCause()) {
            texts.append(next).append('\n');
        }
        return texts.toString();
    }

    /** Leaves out what differs for each input, such as numbers and quoted names. */
    private static String skeleton(String message) {
        String start = message.length() > 200 ? message.substring(0, 200) : message;
        return start.replaceAll("'[^']*'|\"[^\"]*\"|\\[[^]]*]", "?").replaceAll("[^ A-Za-z?:,.]+", "#");
    }

    private String keep(String kind, byte[] input) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "fuzz", name));
            Path file = folder.resolve(kind + "-" + HexFormat.of().toHexDigits(Arrays.hashCode(input)));
            return Files.write(file, input).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void report(int rounds, int accepted, long seed, Duration took) {
        System.err.printf(
                "Fuzz %s: %d inputs in %d ms from seed %d, %d accepted, %d outcomes, %d violations%n",
                name, rounds, took.toMillis(), seed, accepted, outcomes.size(), violations.size());
    }
}
