package io.github.reconciler4j.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ForgedLines;
import io.github.reconciler4j.grid.Framing.End;
import io.github.reconciler4j.grid.Framing.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * Every call of the client gets every response, sent in every way and broken at every place, and afterwards a correct one. It
 * must never return a wrong result. A failure must be a documented exception that names the request and the server and shows
 * no content; a damaged connection must not be used again; and the call after it must succeed.
 *
 * <p>The build runs a sample that contains each call with each response, and each response with each way to send it;
 * {@code -Dgrid.cells=all} runs the whole grid, {@code -Dgrid.seed=7} another sample, and {@code -Dgrid.only=TEXT} the cells
 * whose description contains the text.
 */
@Timeout(7200)
class ResponseGridTests {

    private static final boolean WHOLE =
            System.getProperty("grid.cells", "sample").equals("all");
    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final String ONLY = System.getProperty("grid.only", "");

    /** Where a response breaks off early, only its beginning matters. */
    private static final Set<String> BROKEN_OFF = Set.of(
            "correct",
            "HTML as JSON",
            "404 Status",
            "404 HTML",
            "409 Status",
            "429 HTML",
            "500 Status",
            "503 Status",
            "307 HTML");

    private final List<Verb> verbs = Verbs.all();
    private final List<Shape> shapes = Shapes.all();

    @Test
    void callWhenResponseIsHostileNeverReturnsAWrongResult(TestReporter reporter) throws Exception {
        List<? extends GridCase> cells = (WHOLE ? whole() : sample())
                .stream().filter(cell -> cell.toString().contains(ONLY)).toList();
        check(cells, 100, reporter);
    }

    @Test
    void cacheWhenResponseIsHostileKeepsItsObjectsAndRecovers(TestReporter reporter) throws Exception {
        List<? extends GridCase> cells = (WHOLE ? wholeOfCache() : sampleOfCache())
                .stream().filter(cell -> cell.toString().contains(ONLY)).toList();
        check(cells, 50, reporter);
    }

    /** A cell mostly waits, for retries and time limits, so many run at a time. */
    private static void check(List<? extends GridCase> cells, int parallel, TestReporter reporter) throws Exception {
        Map<GridCase, List<String>> violations = new LinkedHashMap<>();
        ExecutorService executor = Executors.newFixedThreadPool(parallel);
        try (SecretLog secrets = SecretLog.open();
                ForgedLines forged = ForgedLines.watch()) {
            List<Callable<List<String>>> tasks = cells.stream()
                    .map(cell -> (Callable<List<String>>) cell::run)
                    .toList();
            List<Future<List<String>>> results = executor.invokeAll(tasks);
            for (int i = 0; i < cells.size(); i++) {
                if (!results.get(i).get().isEmpty()) {
                    violations.put(cells.get(i), results.get(i).get());
                }
            }
            assertThat(secrets.lines()).as("lines of the log with content").isEmpty();
            assertThat(forged.found())
                    .as("lines of the log that a server has started")
                    .isEmpty();
        } finally {
            executor.shutdownNow();
        }
        reporter.publishEntry("cells", cells.size() + ", with violations: " + violations.size());
        assertThat(groups(violations).values())
                .as("%d of %d cells violate rules", violations.size(), cells.size())
                .isEmpty();
    }

    /** The first cell of each group of similar violations, with the size of the group. */
    private static Map<String, String> groups(Map<GridCase, List<String>> violations) {
        Map<String, String> groups = new LinkedHashMap<>();
        Map<String, Integer> sizes = new LinkedHashMap<>();
        violations.forEach((cell, found) -> {
            String group = found.get(0).replaceAll("\\d+", "#");
            groups.putIfAbsent(group, cell + ": " + found);
            sizes.merge(group, 1, Integer::sum);
        });
        groups.replaceAll((group, first) -> sizes.get(group) + " times, for example " + first);
        return groups;
    }

    /** A cache obeys {@code Retry-After} for up to minutes. */
    private List<Shape> shapesOfCache() {
        return shapes.stream()
                .filter(shape -> !shape.name().matches(".*[rR]etry-?After.*[0-9:]{5,}.*|.*retryAfterSeconds 1e30"))
                .toList();
    }

    private List<CacheCell> wholeOfCache() {
        List<CacheCell> cells = new ArrayList<>();
        for (CacheCell.Request request : CacheCell.Request.values()) {
            for (Shape shape : shapesOfCache()) {
                for (Framing framing : Framing.values()) {
                    for (End end : End.values()) {
                        if (isUseful(shape, framing)) {
                            cells.add(new CacheCell(request, shape, framing, end));
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** Each request with each response and with each framing. */
    private List<CacheCell> sampleOfCache() {
        Random random = new Random(SEED);
        List<CacheCell> cells = new ArrayList<>();
        for (CacheCell.Request request : CacheCell.Request.values()) {
            int next = 0;
            for (Shape shape : shapesOfCache()) {
                Framing framing = Framing.values()[next++ % Framing.values().length];
                End end = End.values()[random.nextInt(End.values().length)];
                cells.add(new CacheCell(request, shape, framing, end));
            }
        }
        return cells;
    }

    private List<Cell> whole() {
        List<Cell> cells = new ArrayList<>();
        for (Verb verb : verbs) {
            for (Shape shape : shapes) {
                for (Framing framing : Framing.values()) {
                    for (End end : End.values()) {
                        if (isPossible(verb, framing, end) && isUseful(shape, framing)) {
                            cells.add(new Cell(verb, shape, framing, end));
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** What reads a stream byte for byte decides itself how much it reads. */
    private static boolean isPossible(Verb verb, Framing framing, End end) {
        return framing.part != Part.ENDLESS || !verb.name().equals("stream bytes") && end == End.CLOSE;
    }

    private static boolean isUseful(Shape shape, Framing framing) {
        return framing.part != Part.SOME && framing.part != Part.ENDLESS || BROKEN_OFF.contains(shape.name());
    }

    /** Each code has one of its forms with a call, and a few ways to ask for a delay are enough for one. */
    private boolean isSampled(Shape shape, int number) {
        int at = shapes.indexOf(shape);
        if (shape.name().matches(".*[rR]etry-?After.*")) {
            return (at + number) % 5 == 0;
        }
        return !shape.name().matches("\\d{3} (Status|HTML|correct body)") || (at + number) % 3 == 0;
    }

    /** Each call with each response; along with that, each response in each framing, which end in turn. */
    private List<Cell> sample() {
        Random random = new Random(SEED);
        List<Cell> cells = new ArrayList<>();
        for (Shape shape : shapes) {
            List<Framing> framings = new ArrayList<>(List.of(Framing.values()));
            Collections.shuffle(framings, random);
            int next = 0;
            for (Verb verb : verbs) {
                Framing framing = framings.get(next++ % framings.size());
                if (!isSampled(shape, next)) {
                    continue;
                }
                End end = End.values()[random.nextInt(End.values().length)];
                if (framing.part == Part.ENDLESS) {
                    end = End.CLOSE;
                }
                cells.add(new Cell(verb, shape, isPossible(verb, framing, end) ? framing : Framing.LENGTH, end));
            }
        }
        return cells;
    }
}
