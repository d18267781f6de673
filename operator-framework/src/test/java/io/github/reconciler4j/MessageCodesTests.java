package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that ask for an action have a code, such as {@code R4J-041}, by which docs/troubleshooting.md explains them. */
class MessageCodesTests {

    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/troubleshooting.md");

    private static final Pattern ANY = Pattern.compile("\\bR4J[-_ ]?\\w*");
    private static final Pattern CODE = Pattern.compile("R4J-\\d{3}");

    /** In parentheses at the end of the text, of its first sentence, or of what it says before a cause. */
    private static final Pattern PLACE =
            Pattern.compile("[\"\\w.?>})'\\]/] \\(R4J-\\d{3}\\)(?=\"|\\{}|: |\\. |:\\\\n)");

    /** They name a wrong call, and their stack trace shows it. */
    private static final Set<String> OF_CALLS =
            Set.of("IllegalArgumentException", "IllegalStateException", "NullPointerException");

    /** Messages without a code, and why. */
    private static final Map<String, String> WITHOUT_CODE = Map.of(
            "has no kind of its own: name one", "names a wrong call",
            " does not declare its kind: annotate it", "names a wrong call",
            "it has no constructor that Jackson can call", "the cause of a message with a code",
            "Correct the file, or name another one", "the starter adds the code when it analyzes the failure");

    @Test
    void codesAreUniqueInTheSources() throws IOException {
        TreeMap<String, List<String>> places = codesOfSources();
        assertThat(places).hasSizeGreaterThanOrEqualTo(40);
        assertThat(places).allSatisfy((code, files) -> assertThat(files).hasSize(1));
    }

    @Test
    void messagesThatAskForAnActionHaveACode() throws IOException {
        List<String> others = new ArrayList<>();
        Set<String> unused = new TreeSet<>(WITHOUT_CODE.keySet());
        for (Path source : sources()) {
            if (!source.toString().endsWith(".java")) {
                continue;
            }
            for (MessageStatements.Statement statement : MessageStatements.of(Files.readString(source))) {
                String text = statement.text();
                boolean known = WITHOUT_CODE.keySet().stream().anyMatch(text::contains);
                unused.removeIf(text::contains);
                if (statement.asksForAction()
                        && !statement.hasCode()
                        && !known
                        && !OF_CALLS.contains(statement.type())) {
                    others.add(source.getFileName() + ": " + text);
                }
            }
        }
        assertThat(others)
                .as("texts that need a code, or a reason why they have none")
                .isEmpty();
        assertThat(unused).as("exceptions that nothing needs").isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOG.warn(\"{} is lost: set 'a' (it (was) here)\", name(\")\"), e); | true",
                "throw new GeneratorException(\"Set \" + x + \" to 7\"); | true",
                "throw new GeneratorException(\"It is old. Generate\" + \" it again\", ')'); | true",
                "throw new LostException(\"Write rejected: it is lost\"); | false",
                "throw new LostException(\"cannot create \" + x + \": no answer\"); | false",
                "LOG.info(\"It is lost: set 'a'\"); | false"
            })
    void messageThatAsksForAnActionIsFound(String source, boolean found) {
        assertThat(MessageStatements.of(source).stream().anyMatch(MessageStatements.Statement::asksForAction))
                .isEqualTo(found);
    }

    @Test
    void codesHaveTheirForm() throws IOException {
        List<String> others = new ArrayList<>();
        for (Path source : sources()) {
            for (String line : Files.readAllLines(source)) {
                if (ANY.matcher(line).results().count()
                        != PLACE.matcher(line).results().count()) {
                    others.add(source.getFileName() + ": " + line.strip());
                }
            }
        }
        assertThat(others).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"check the token (R4J-005)\"",
                "\"Cannot write {} (R4J-114): {}{}\"",
                "\"are missing (R4J-002):\\n\"",
                "\"it waits (R4J-104). The thread is {}\"",
                "end + \" (R4J-106)\"",
                "\"Correct it. (R4J-302)\"",
                "\"is it running? (R4J-020){}\""
            })
    void codeInItsFormIsAccepted(String line) {
        assertThat(PLACE.matcher(line).results()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"R4J-005: check the token\"",
                "\"check the token R4J-005\"",
                "\"check (R4J-05)\"",
                "\"check(R4J-005)\"",
                "\"check (R4J-005) the token\""
            })
    void codeInAnotherFormIsFound(String line) {
        assertThat(ANY.matcher(line).find()).isTrue();
        assertThat(PLACE.matcher(line).results()).isEmpty();
    }

    @Test
    void pageListsEachCodeOnceInOrder() throws IOException {
        List<String> listed = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| R4J-"))
                .map(line -> line.substring(2, line.indexOf(' ', 2)))
                .toList();
        assertThat(listed).containsExactlyElementsOf(codesOfSources().keySet());
    }

    @Test
    void documentsNameNoOtherCodes() throws IOException {
        TreeSet<String> named = new TreeSet<>();
        for (Path file : List.of(PAGE, ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md"))) {
            CODE.matcher(Files.readString(file))
                    .results()
                    .map(MatchResult::group)
                    .forEach(named::add);
        }
        assertThat(codesOfSources().keySet()).containsAll(named);
    }

    /** Returns the codes with the files that contain them, as often as they do. */
    private static TreeMap<String, List<String>> codesOfSources() throws IOException {
        TreeMap<String, List<String>> places = new TreeMap<>();
        for (Path source : sources()) {
            CODE.matcher(Files.readString(source))
                    .results()
                    .forEach(code -> places.computeIfAbsent(code.group(), any -> new ArrayList<>())
                            .add(source.getFileName().toString()));
        }
        return places;
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(
                            folder -> folder.getFileName().toString().startsWith("operator-"))
                    .toList()) {
                Path main = module.resolve("src/main");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().matches(".*\\.(java|properties|yaml|json|py|js)"))
                                .forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }
}
