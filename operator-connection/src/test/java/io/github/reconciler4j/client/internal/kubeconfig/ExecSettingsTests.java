package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the plug-in of a user is read. */
class ExecSettingsTests {

    private static final String V1 = "client.authentication.k8s.io/v1";
    private static final String BETA = "client.authentication.k8s.io/v1beta1";
    private static final Path FOLDER = Path.of("/of/kubeconfig");
    private static final Map<String, Object> CLUSTER = Map.of("server", "https://c");

    private final Map<String, Object> tree =
            new HashMap<>(Map.of("command", "plugin", "apiVersion", BETA, "installHint", " do\n\tthis "));

    private Fields fields() {
        return new Fields("The kubeconfig", "users.user.exec", tree);
    }

    private ExecSettings read(Path folder) {
        return ExecSettings.of(fields(), folder, CLUSTER, Duration.ofSeconds(3));
    }

    private void assertRefused(String problem) {
        assertThatThrownBy(() -> read(FOLDER))
                .isInstanceOf(InvalidKubeconfigException.class)
                .hasMessage("The kubeconfig has an exec plug-in " + problem + " (R4J-031)");
    }

    @Test
    void settingsAreThoseOfTheUser() {
        tree.put("args", Arrays.asList("a", null));

        ExecSettings settings = read(FOLDER);

        assertThat(settings.commandLine()).containsExactly("plugin", "a", "");
        assertThat(settings.apiVersion()).isEqualTo(BETA);
        assertThat(settings.installHint()).isEqualTo("do this");
        assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.name()).isEqualTo("the exec plug-in 'plugin'");
        assertThat(settings).hasToString("the exec plug-in 'plugin'");
    }

    @Test
    void commandWithAPathIsRelativeToTheKubeconfig() {
        tree.put("command", "../bin/plugin");
        assertThat(read(FOLDER).commandLine()).containsExactly("/of/bin/plugin");
        assertThat(read(null).commandLine()).containsExactly("../bin/plugin");
        tree.put("command", "/bin/../plugin");
        assertThat(read(FOLDER).commandLine()).containsExactly("/plugin");
    }

    @Test
    void environmentHasTheVariablesAndWhatIsKnownOfTheCall() {
        tree.put("env", List.of(Map.of("name", "A", "value", "x=y"), Map.of("name", "B")));
        assertThat(read(FOLDER).environment())
                .containsOnly(
                        Map.entry("A", "x=y"),
                        Map.entry("B", ""),
                        Map.entry(
                                "KUBERNETES_EXEC_INFO",
                                "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" + BETA
                                        + "\",\"spec\":{\"interactive\":false}}"));
        tree.put("provideClusterInfo", true);
        assertThat(read(FOLDER).environment())
                .containsEntry(
                        "KUBERNETES_EXEC_INFO",
                        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" + BETA
                                + "\",\"spec\":{\"cluster\":{\"server\":\"https://c\"},\"interactive\":false}}");
    }

    @Test
    void versionsAreTheTwoThatKubectlHas() {
        tree.put("apiVersion", V1);
        assertRefused("without an 'interactiveMode', which " + V1 + " requires");
        for (String mode : List.of("Never", "IfAvailable", "Always")) {
            tree.put("interactiveMode", mode);
            assertThat(read(FOLDER).apiVersion()).isEqualTo(V1);
        }
        tree.put("interactiveMode", "always");
        assertRefused("with an unknown 'interactiveMode'");
        tree.put("apiVersion", "client.authentication.k8s.io/v1alpha1");
        assertRefused("with an 'apiVersion' other than " + V1 + " and " + BETA);
    }

    @Test
    void pluginThatAsksAPersonDoesNotRun() {
        ExecSettings.checkRunsAlone(fields());
        tree.put("interactiveMode", "IfAvailable");
        ExecSettings.checkRunsAlone(fields());
        tree.put("interactiveMode", "Always");
        assertThatThrownBy(() -> ExecSettings.checkRunsAlone(fields()))
                .hasMessageContaining("but this program has no terminal");
    }

    @Test
    void commandWhenItCannotRunIsRefused() {
        tree.put("args", List.of("a", "\0b"));
        assertRefused("with a character that no command line can have");
        tree.put("args", List.of("a\0b"));
        assertRefused("with a character that no command line can have");
        tree.put("command", "");
        assertRefused("without a 'command'");
    }

    @ParameterizedTest
    @CsvSource({
        "'', x, without a name",
        "A=B, x, that no environment can have",
        "=, x, that no environment can have",
        "A@, x, that no environment can have",
        "@, x, that no environment can have",
        "A, x@, that no environment can have",
        "A, @, that no environment can have",
    })
    void variableWhenNoEnvironmentCanHaveItIsRefused(String name, String value, String problem) {
        tree.put("env", List.of(Map.of("name", name.replace('@', '\0'), "value", value.replace('@', '\0'))));
        assertRefused("with a variable " + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--token", "-password", "--client-secret", "--key", "-pin"})
    void secretsAreTheVariablesAndTheArgumentsThatAreNamedSo(String name) {
        tree.put("env", List.of(Map.of("name", "A", "value", "of variable")));
        tree.put("args", List.of("get", name, "one", "--user=u", "-x", "three", name + "=two=x"));

        List<String> secrets = read(FOLDER).secrets();

        assertThat(secrets).contains("of variable", "one", "two=x").hasSize(4);
        assertThat(secrets.get(1)).startsWith("{\"kind\":\"ExecCredential\"");
    }
}
