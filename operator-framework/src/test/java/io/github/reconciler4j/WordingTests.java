package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code, messages and documents use the field's words. The list holds what they replaced; the glossary in
 * docs/design/words.md says what to write instead.
 */
class WordingTests {

    private static final Path ROOT = Path.of("..");

    private static final List<String> REPLACED = List.of(
            "told",
            "tells?",
            "telling",
            "troubles?",
            "anew",
            "(some|no|any)body",
            "whoever",
            "mend(s|ed|ing)?",
            "patience",
            "(goes|go|going|went) on",
            "(begins?|began|beginning) anew",
            "begun?|(?<!event\\.|filter\\.)begins?|began",
            "(gives?|given|gave|giving) back",
            "leaves? behind|left behind",
            "by itself|by themselves",
            "stand-?ins?",
            "such a one",
            "one's own",
            "once more",
            "sees? to it",
            "in good order",
            "hears? of",
            "thereof",
            "wherever",
            "not any more",
            "so that none",
            "is none");

    private static final List<String> BRITISH = List.of(
            "behaviours?",
            "colours?",
            "labelled",
            "cancelling",
            "licence",
            "honours?",
            "favours?",
            "serialis\\w+",
            "(?<!filter\\.)initialis\\w+",
            "ageing",
            "whilst",
            "neighbours?",
            "recognis\\w+",
            "organis\\w+",
            "optimis(e|es|ed|ing|ation)",
            "normalis\\w+");

    private static final Pattern WORDS = Pattern.compile(
            "\\b(" + String.join("|", REPLACED) + "|" + String.join("|", BRITISH) + ")\\b", Pattern.CASE_INSENSITIVE);

    @ParameterizedTest
    @ValueSource(strings = {"told", "Stand-in", "is given back", "behaviour", "Nobody", "mended", "initialisation"})
    void wordWhenItWasReplacedIsFound(String text) {
        assertThat(WORDS.matcher(text).find()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"recommend", "NobodyUid", "behavior", "retold", "anewline"})
    void wordWhenItOnlyContainsOneIsNotFound(String text) {
        assertThat(WORDS.matcher(text).find()).isFalse();
    }

    @Test
    void textsUseTheWordsOfTheGlossary() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> files = files();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file);
            for (int line = 0; line < lines.size(); line++) {
                if (usesReplacedWord(lines.get(line))) {
                    found.add(ROOT.relativize(file) + ":" + (line + 1) + " "
                            + lines.get(line).strip());
                }
            }
        }
        assertThat(files).hasSizeGreaterThan(500);
        assertThat(found).isEmpty();
    }

    /** Names in camel case consist of several words; PEM headers and the table of renamed names are not ours to change. */
    private static boolean usesReplacedWord(String line) {
        return !line.contains("-----BEGIN")
                && !line.startsWith("| `")
                && WORDS.matcher(line).results().map(MatchResult::group).anyMatch(WordingTests::isOneWord);
    }

    private static boolean isOneWord(String word) {
        String rest = word.substring(1);
        return rest.equals(rest.toLowerCase(Locale.ROOT)) || word.equals(word.toUpperCase(Locale.ROOT));
    }

    /** Other modules build and other JVMs run meanwhile, so files come and go. */
    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean skipped = String.valueOf(folder.getFileName()).matches("target|node_modules|\\.git");
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (isChecked(file)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return files;
    }

    /** Sources, documents, templates and messages; not what is built or the list and the glossary themselves. */
    private static boolean isChecked(Path file) {
        String path = ROOT.relativize(file).toString().replace('\\', '/');
        boolean text = path.matches(".*\\.(java|md|yaml|yml|tpl|txt|properties|xml|json|sh)");
        boolean built = path.matches("(|.*/)(target|node_modules|\\.git|transcripts|data)/.*");
        return text && !built && !path.endsWith("WordingTests.java") && !path.equals("docs/design/words.md");
    }
}
