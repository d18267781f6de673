package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for users of the Java Operator SDK names tests that exist. */
class WorkflowTableTests {

    private static final Path PAGE = Path.of("../docs/java-operator-sdk.md");
    private static final Path TESTS = Path.of("src/test/java/io/github/reconciler4j/objectset");
    private static final Pattern NAMED = Pattern.compile("`(?:(\\w+Tests)#)?([a-z]\\w{9,})`");

    @Test
    void testsWhenNamedOnThePageExist() throws IOException {
        List<String> missing = new ArrayList<>();
        String page = Files.readString(PAGE);
        List<MatchResult> named = NAMED.matcher(page.substring(page.indexOf("## Tests")))
                .results()
                .toList();
        for (MatchResult each : named) {
            String file = each.group(1) == null ? "WorkflowTests" : each.group(1);
            String source = Files.readString(TESTS.resolve(file + ".java"));
            if (!source.contains("@Test\n    void " + each.group(2) + "(")) {
                missing.add(each.group());
            }
        }

        assertThat(named).hasSizeGreaterThan(40);
        assertThat(missing).isEmpty();
    }
}
