package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.client.internal.kubeconfig.KubeconfigTree.Selection;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How kubeconfigs are read and merged, and what of them is selected. */
class KubeconfigTreeTests {

    private static final String WHOLE = """
            current-context: x
            contexts: [{name: x, context: {cluster: c, user: u}}, {name: y, context: {cluster: d, user: v}}]
            clusters: [{name: c, cluster: {server: "https://c"}}]
            users: [{name: u, user: {token: top-secret, tokenFile: of/../u}}]
            """;

    @TempDir
    private Path folder;

    private Path file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private static KubeconfigTree tree(String content) {
        return KubeconfigTree.of("The kubeconfig", content);
    }

    private static String server(KubeconfigTree tree) {
        return tree.select(null).cluster().fields().text("server");
    }

    @Test
    void selectionIsTheCurrentContextOrTheNamedOne() {
        KubeconfigTree tree = tree(WHOLE + "preferences: {}");
        for (String name : new String[] {null, "x"}) {
            Selection selection = tree.select(name);
            assertThat(selection.name()).isEqualTo("x");
            assertThat(selection.context().fields().text("user")).isEqualTo("u");
            assertThat(selection.cluster().fields().text("server")).isEqualTo("https://c");
            assertThat(selection.user().fields().text("token")).isEqualTo("top-secret");
        }
        assertThat(tree.hasContext("y")).isTrue();
        assertThat(tree.hasContext("z")).isFalse();
        assertThat(tree.contexts()).containsOnlyKeys("x", "y");
        assertThat(tree.user("u")).isNotNull();
        assertThat(tree.user("v")).isNull();
        assertThat(tree.cluster("c")).isNotNull();
        assertThat(tree.cluster("d")).isNull();
        assertThat(tree.usersAndClusters()).containsExactly(tree.user("u"), tree.cluster("c"));
    }

    @Test
    void selectionWhenItsUserIsMissingHasNoCredentials() {
        Selection selection = tree(WHOLE.replace("name: u,", "name: other,")).select(null);

        assertThat(selection.user().fields().text("token")).isEmpty();
        assertThat(selection.user().fields()).hasToString("The kubeconfig users");
        assertThat(selection.user().folder()).isNull();
    }

    @Test
    void selectionWhenThereIsNoneSaysWhatIsMissing() {
        assertThatThrownBy(() -> tree(WHOLE).select("z")).hasMessage("The kubeconfig has no context 'z' (R4J-031)");
        assertThatThrownBy(() -> tree(WHOLE).select("y"))
                .hasMessage("The kubeconfig has no cluster for the context 'y' (R4J-031)");
        for (String part : List.of("current-context: x", "cluster: c,", "server: \"https://c\"")) {
            assertThatThrownBy(() -> tree(WHOLE.replace(part, "")).select(null))
                    .as(part)
                    .hasMessage("The kubeconfig has no current context with a cluster (R4J-031)");
        }
        assertThatThrownBy(() -> tree(WHOLE.replace("https://c", "  ")).select(null))
                .hasMessage("The kubeconfig has no current context with a cluster (R4J-031)");
        String unnamed = WHOLE.replace("name: x", "name: ''").replace("current-context: x", "");
        assertThatThrownBy(() -> tree(unnamed).select(null))
                .as("a context without a name is not the current one")
                .hasMessage("The kubeconfig has no current context with a cluster (R4J-031)");
    }

    @Test
    void filesWhenThereAreSeveralAreMergedAndTheFirstDecides() throws IOException {
        Path one = file("one/config", "clusters: [{name: c, cluster: {server: \"https://one\"}}]");
        Path two = file("two/config", WHOLE);
        Path three = file(
                "three/config",
                "current-context: y\nusers: [{name: w, user: {token: w}}, {name: u, user: {token: no}}]");

        KubeconfigTree tree = KubeconfigTree.of(List.of(one, folder.resolve("missing"), two, three));

        assertThat(server(tree)).isEqualTo("https://one");
        assertThat(tree.select(null).name()).isEqualTo("x");
        assertThat(tree.select(null).user().fields().text("token")).isEqualTo("top-secret");
        assertThat(tree.user("w").fields().text("token")).isEqualTo("w");
        assertThat(tree.user("u").path("tokenFile")).isEqualTo(folder + "/two/u");
        assertThat(tree.user("u").path("token-file")).isEmpty();
        assertThatThrownBy(() -> tree.select("z"))
                .hasMessage("The kubeconfig '"
                        + String.join(
                                File.pathSeparator,
                                one.toString(),
                                folder.resolve("missing").toString(),
                                two.toString(),
                                three.toString())
                        + "' has no context 'z' (R4J-031)");
    }

    @Test
    void pathWhenTheKubeconfigIsInNoFileStaysAsItIs() {
        assertThat(tree(WHOLE).user("u").path("tokenFile")).isEqualTo("of/../u");
    }

    @Test
    void pathWhenItIsNoneIsAnErrorThatNamesTheField() throws IOException {
        Path file = file("config", WHOLE.replace("of/../u", "\"a\\0b\""));
        assertThatThrownBy(() -> KubeconfigTree.of(List.of(file)).user("u").path("tokenFile"))
                .hasMessage("The kubeconfig '" + file + "' has a field 'tokenFile' that is no path (R4J-031)");
    }

    @Test
    void fileWhenItCannotBeReadIsNamed() {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> KubeconfigTree.of(List.of(missing)))
                .hasMessage("The kubeconfig '" + missing + "' does not exist (R4J-031)");
        assertThatThrownBy(() -> KubeconfigTree.of(List.of(missing, folder)))
                .hasMessage("The kubeconfig '" + folder + "' cannot be read (R4J-031)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apiVersion: v2 | is no Config of v1",
                "kind: Secret | is no Config of v1",
                "users: [{name: u}, {name: u}] | has a name twice in 'users'",
                "users: {} | has a field 'users' that is no list",
                "users: [{name: u, user: top-secret}] | has a field 'users.user' that is no object",
                "'a: [top-secret}' | is not a valid kubeconfig (line 1, column 15)",
                "'{\"a\": top-secret}' | is not a valid kubeconfig (line 1, column 7)",
                "top-secret | is not a valid kubeconfig",
                "'null' | is not a valid kubeconfig",
            })
    void contentWhenItIsNoKubeconfigIsRefusedWithoutIt(String content, String problem) {
        assertThatThrownBy(() -> tree(content))
                .isInstanceOf(InvalidKubeconfigException.class)
                .hasMessage("The kubeconfig " + problem + " (R4J-031)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"apiVersion: v1\n", "kind: Config\n", "apiVersion: v1\nkind: Config\n", "\ufeff"})
    void contentWhenItNamesItsKindIsRead(String start) {
        assertThat(server(tree(start + WHOLE))).isEqualTo("https://c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "{}"})
    void contentWhenEmptyHasNothing(String content) {
        assertThat(tree(content).contexts()).isEmpty();
        assertThat(tree(content).usersAndClusters()).isEmpty();
    }

    @Test
    void entryWithoutContentHasNoFields() {
        assertThat(tree("users: [{name: u}]").user("u").fields()).hasToString("The kubeconfig users.user");
        assertThat(tree("users: [{name: u}]").user("u").fields().text("token")).isEmpty();
    }

    /** As for kubectl, only the first document counts. */
    @Test
    void documentsAfterTheFirstAreLeftOut() {
        String second = "clusters: [{name: c, cluster: {server: \"https://second\"}}]\n";
        assertThat(server(tree(WHOLE + "---\n" + second))).isEqualTo("https://c");
        assertThat(server(tree(WHOLE + "---"))).as("at the end of the text").isEqualTo("https://c");
        assertThat(server(tree("# comment\n\n%YAML 1.1\n---\n" + WHOLE + "--- \n{")))
                .as("what is before the first is no document")
                .isEqualTo("https://c");
    }
}
