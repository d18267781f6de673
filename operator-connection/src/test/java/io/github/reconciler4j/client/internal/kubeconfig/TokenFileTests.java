package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, and names of users, that no HTTP header can have. */
@Timeout(60)
class TokenFileTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/version");

    private final ScriptedServer server =
            ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(200, "{}")));

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        server.close();
    }

    private ApiConnection open(String user) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "%s"}}]
                users: [{name: u, user: {%s}}]
                """.formatted(server.address(), user));
        return ApiConnection.open(Kubeconfig.ofFile(file).read());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "top\nsecret",
                "top\rsecret",
                "top secret",
                "top\u0000secret",
                "topsecrét",
                "top\u001bsecret",
                "\u00a0top"
            })
    void tokenWhenNoHeaderCanHaveItIsAnErrorThatNamesTheFile(String token) throws IOException {
        Path file = Files.write(folder.resolve("token"), token.getBytes(StandardCharsets.UTF_8));
        try (ApiConnection connection = open("tokenFile: token")) {
            ConnectionException failure = catchThrowableOfType(ConnectionException.class, () -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.CREDENTIALS);
            assertThat(failure.problem().isBeforeSending()).isTrue();
            assertThat(failure)
                    .hasMessageContaining("the token file " + file + " contains no token")
                    .hasMessageNotContaining("secr");
            Files.writeString(file, "good\n");
            assertThat(connection.send(GET).code()).isEqualTo(200);
            assertThat(server.requests().get(0).headers()).containsEntry("authorization", "Bearer good");
        }
    }

    @Test
    void tokenWhenTheFileIsMissingIsAnErrorThatNamesIt() throws IOException {
        try (ApiConnection connection = open("tokenFile: missing")) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .hasMessageContaining("the token file " + folder.resolve("missing") + " cannot be read");
        }
    }

    @Test
    void tokenWhenTheFileIsADirectoryIsAnErrorThatNamesIt() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("token"));
        try (ApiConnection connection = open("tokenFile: token")) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .hasMessageContaining("the token file " + directory + " cannot be read");
        }
    }

    @Test
    void tokenWhenTheFileIsLongIsAnErrorThatNamesIt() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "s3cr3t".repeat(200_000));
        try (ApiConnection connection = open("tokenFile: token")) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .hasMessageContaining("the token file " + file + " contains no token, but ")
                    .hasMessageContaining("or more than 1 MiB")
                    .hasMessageNotContaining("s3cr3t");
            assertThat(server.requests()).isEmpty();
        }
    }

    /** It would fill the memory. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void tokenWhenTheFileNeverEndsIsAnErrorThatNamesIt() throws IOException {
        try (ApiConnection connection = open("tokenFile: /dev/zero")) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .hasMessageContaining("the token file /dev/zero contains no token, but ")
                    .hasMessageContaining("or more than 1 MiB");
        }
    }

    @Test
    void tokenWhenTheFileIsMissingIsThatOfTheKubeconfig() throws IOException {
        try (ApiConnection connection = open("tokenFile: missing, token: inline")) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
            assertThat(server.requests().get(0).headers()).containsEntry("authorization", "Bearer inline");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token: \"top\\nsecret\"",
                "token: t, as: \"top\\nsecret\"",
                "token: t, as: a, as-groups: [\"top\\rsecret\"]",
                "token: t, as: a, as-uid: \"top\\0secret\"",
                "token: t, as: a, as-user-extra: {k: [\"top\\nsecret\"]}"
            })
    void headerWhenItCannotBeSentIsAnErrorThatNamesIt(String user) throws IOException {
        try (ApiConnection connection = open(user)) {
            ConnectionException failure = catchThrowableOfType(ConnectionException.class, () -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.CREDENTIALS);
            assertThat(failure)
                    .hasMessageContaining("cannot be sent, because it contains a line break")
                    .hasMessageNotContaining("secret");
            assertThat(server.requests()).isEmpty();
        }
    }

    /** The server would see another user. */
    @ParameterizedTest
    @ValueSource(strings = {"as: ' jane'", "as: 'jane '", "as: jane, as-groups: [' g']", "as: jane, as-uid: '1 '"})
    void userWhenHttpDropsItsWhiteSpaceIsNotImpersonated(String user) throws IOException {
        try (ApiConnection connection = open(user)) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .hasMessageContaining("HTTP/1.1 drops the white space")
                    .hasMessageNotContaining("jane");
            assertThat(server.requests()).isEmpty();
        }
    }
}
