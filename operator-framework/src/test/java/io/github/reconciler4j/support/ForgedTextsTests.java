package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Texts that others have chosen, with drawn ends of lines, neither start a line nor lose what they say. */
class ForgedTextsTests {

    private static final int CASES = Integer.getInteger("texts.cases", 300);
    private static final long FIRST = Long.getLong("texts.seed", 1);
    private static final List<String> PARTS = List.of(
            "\n",
            "\r",
            "\r\n",
            "\u0085",
            "\u2028",
            "\u2029",
            "\f",
            "\u000b",
            "\t",
            " ",
            "at ",
            "\u001b[2K",
            "\u202e",
            "b\u0000",
            "FORGED ",
            "\\n",
            "name",
            "\u00e4\ud83d\ude00");
    private static final Pattern LINE_OF_TRACE = Pattern.compile(
            "\\s*(at [\\w.$/@<>-]+\\(.*\\)|Caused by: .*|Suppressed: .*|\\.\\.\\. \\d+ more|\\[CIRCULAR REFERENCE.*)");

    private static String draw(Random random) {
        StringBuilder text = new StringBuilder("x");
        for (int i = random.nextInt(12); i >= 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return text.toString();
    }

    @Test
    void textsWhenOthersHaveChosenThemAreInOneLine() {
        for (long seed = FIRST; seed < FIRST + CASES; seed++) {
            String story = "-Dtexts.seed=" + seed + " -Dtexts.cases=1";
            Random random = new Random(seed);
            String text = draw(random);
            String name = draw(random);
            ObjectKey key = ObjectKey.of(text, name);
            KindName kind = KindName.of("example.com/v1", "Kind" + text.replace("/", ""));
            RuntimeException failure = failure(random, 3);
            for (String shown : List.of(
                    Texts.escaped(text),
                    Texts.inOneLine(text),
                    Texts.of(failure),
                    key.toString(),
                    kind.toString(),
                    Request.of(key).toString(),
                    String.valueOf(new ApiException(text, ErrorDetails.none()).getMessage()),
                    String.valueOf(new UndecodableObjectException(kind, key, String.class, name).getMessage()),
                    Causes.message(failure),
                    new LogLimiter.Occurrence(false, 3).suffix(failure))) {
                assertThat(shown).as(story).doesNotContainPattern("\\R|[\u0000-\u001f]");
            }
            assertThat(Texts.escaped(text)).as(story).isEqualTo(Texts.escaped(Texts.escaped(text)));
            for (Throwable logged :
                    List.of(Causes.loggable(failure), new LogLimiter.Occurrence(true, 0).trace(failure))) {
                assertThat(lines(logged))
                        .as(story)
                        .allMatch(line -> LINE_OF_TRACE.matcher(line).matches());
            }
        }
    }

    /** The lines of the stack trace after the first. */
    private static List<String> lines(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        List<String> lines = trace.toString().strip().lines().toList();
        assertThat(lines.get(0)).contains("Exception: x");
        return lines.subList(1, lines.size()).stream()
                .flatMap(line -> List.of(line.split("\\R")).stream())
                .toList();
    }

    private static RuntimeException failure(Random random, int depth) {
        boolean hasCause = depth > 0 && random.nextBoolean();
        RuntimeException failure =
                new IllegalStateException(draw(random), hasCause ? failure(random, depth - 1) : null);
        if (depth > 0 && random.nextInt(3) == 0) {
            failure.addSuppressed(failure(random, depth - 1));
        }
        if (hasCause && random.nextInt(4) == 0) {
            failure.getCause().addSuppressed(failure); // a circle
        }
        return failure;
    }

    @Test
    void loggableWhenEachMessageIsOneLineReturnsTheException() {
        RuntimeException failure = new IllegalStateException("plain", new IllegalArgumentException("äöü \ud83d\ude00"));
        assertThat(Causes.loggable(failure)).isSameAs(failure);
    }

    @Test
    void loggableWhenAMessageHasLinesKeepsClassesMessagesAndTraces() {
        RuntimeException cause = new IllegalArgumentException("two\nlines");
        RuntimeException failure = new IllegalStateException("plain", cause);
        failure.addSuppressed(new IllegalStateException("aside"));
        Throwable logged = Causes.loggable(failure);
        assertThat(logged).hasToString("java.lang.IllegalStateException: plain");
        assertThat(logged.getStackTrace()).isEqualTo(failure.getStackTrace());
        assertThat(logged.getSuppressed()).singleElement().hasToString("java.lang.IllegalStateException: aside");
        assertThat(logged.getCause()).hasToString("java.lang.IllegalArgumentException: two\\nlines");
    }

    @Test
    void loggableWhenTheExceptionCannotBeDescribedNamesItsClass() {
        assertThat(Causes.loggable(new Indescribable())).hasToString(Indescribable.class.getName());
    }

    private static final class Indescribable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }
    }
}
