package io.github.reconciler4j.test.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevScriptTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void runWhenScriptSucceedsReturnsWhatItPrinted() throws IOException {
        DevScript script = script("cat; echo \"$1 $WORD\"").withEnvironment(Map.of("WORD", "world"));
        assertThat(run(script, TIMEOUT, "in ", "hello")).isEqualTo("in hello world\n");
    }

    @Test
    void runWhenScriptFailsTellsWhatItSaid() throws IOException {
        Queue<String> progress = new ConcurrentLinkedQueue<>();
        DevScript script = script("echo 'Go is missing' >&2; exit 3");
        assertThatThrownBy(() -> script.run(TIMEOUT, "", progress::add, List.of("up")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("'dev/kubernetes up' failed (3):\nGo is missing");
        assertThat(progress).containsExactly("Go is missing");
    }

    @Test
    void runWhenScriptTakesTooLongEndsIt() throws IOException {
        Path ended = folder.resolve("ended");
        DevScript script = script("trap 'touch " + ended + "; exit 1' TERM; while :; do sleep 0.1; done");
        assertThatThrownBy(() -> run(script, Duration.ofSeconds(5), "", "up")) // until then it must have set its trap
                .hasMessageContaining("'dev/kubernetes up' took longer than PT5S");
        await("the script's end").atMost(TIMEOUT).until(() -> Files.exists(ended));
    }

    @Test
    void runWhenThreadIsInterruptedKeepsTheInterrupt() throws IOException {
        DevScript script = script("sleep 60");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> run(script, TIMEOUT, "")).hasMessageContaining("Interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void optionsWhenBeforeTheCommandAreThoseOfTheCommand() {
        assertThatThrownBy(() -> run(DevScript.find(), TIMEOUT, "", "--name", "nowhere", "env"))
                .hasMessageContaining("The instance 'nowhere' does not exist.");
        assertThatThrownBy(() -> run(DevScript.find(), TIMEOUT, "", "--version", "1.2", "nothing"))
                .hasMessageContaining("unknown command 'nothing'.");
    }

    @Test
    void findWhenPropertyNamesNoScriptSaysSo() {
        System.setProperty(DevScript.PATH_PROPERTY, "/nowhere/kubernetes");
        try {
            assertThatThrownBy(DevScript::find)
                    .hasMessageContaining(DevScript.PATH_PROPERTY)
                    .hasMessageContaining("/nowhere/kubernetes");
        } finally {
            System.clearProperty(DevScript.PATH_PROPERTY);
        }
    }

    private static String run(DevScript script, Duration timeout, String input, String... arguments) {
        return script.run(timeout, input, line -> {}, List.of(arguments));
    }

    private DevScript script(String body) throws IOException {
        Path path = folder.resolve("kubernetes");
        Files.writeString(path, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        return new DevScript(path, Map.of());
    }
}
