package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of the output of a plug-in. */
class PluginProcessTests {

    private static PluginProcess.Result run(String script) throws Exception {
        return PluginProcess.run(List.of("/bin/sh", "-c", script), Map.of(), Duration.ofMinutes(1));
    }

    private static String errors(String script) throws Exception {
        return new String(run(script).errors(), StandardCharsets.UTF_8);
    }

    @Test
    void errorsWhenShortAreKept() throws Exception {
        assertThat(errors("echo first >&2; echo last >&2")).isEqualTo("first\nlast\n");
    }

    /** Half a word could be part of a password, and be masked by no rule. */
    @Test
    void errorsWhenLongAreTheirEndFromAWholeWord() throws Exception {
        String all = errors("seq 1000 2009 >&2");
        StringBuilder expected = new StringBuilder();
        for (int i = 1000; i < 2010; i++) {
            expected.append(i).append('\n');
        }
        assertThat(expected.toString()).endsWith(all);
        assertThat(all).startsWith("\n").endsWith("\n2009\n").hasSizeBetween(4096 - 10, 4096);
    }

    @Test
    void errorsOfOneEndlessWordAreDropped() throws Exception {
        assertThat(errors("head -c 5000 /dev/zero | tr '\\0' x >&2")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1048575, 1048575", "1048576, 1048576", "1048577, 1048577", "3000000, 1048577"})
    void outputIsKeptToOneByteAboveItsLimit(int printed, int kept) throws Exception {
        PluginProcess.Result result = run("head -c " + printed + " /dev/zero | tr '\\0' ' '");
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).hasSize(kept);
        assertThat(PluginProcess.MAX_OUTPUT).isEqualTo(1_048_576);
    }

    @Test
    void textHasTheExitCodeOnly() throws Exception {
        assertThat(run("echo secret; exit 3")).hasToString("Result[exitCode=3]");
    }
}
