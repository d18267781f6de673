package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drawn users of a kubeconfig: requests carry the drawn credentials and impersonate whom the kubeconfig says, a plug-in gets the drawn
 * arguments and variables as they are, and what it writes to its standard error is in no log. More:
 * {@code -Dkubeconfig.users=20000}.
 */
@Timeout(3600)
class KubeconfigUserRandomTests {

    private static final int CASES = Integer.getInteger("kubeconfig.users", 300);
    private static final long SEED = Long.getLong("kubeconfig.users.seed", 1);
    private static final String API = "client.authentication.k8s.io/v1";
    private static final String NOISE = "noise-s3cr3t";
    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/version");
    private static final List<String> TEXTS = List.of(
            "a",
            "a b",
            "$HOME",
            "$(echo sub)",
            "`id`",
            "*",
            "~",
            ";ls",
            "|cat",
            "&",
            "<x",
            "\\",
            "\"",
            "'",
            "#",
            "!x",
            "{a,b}",
            "-n",
            "--",
            "ü",
            "=",
            "x=y",
            "\t",
            "%s",
            "",
            "\n",
            "null",
            "true",
            "07");
    private static final List<String> NAMES = List.of("jane", "system:serviceaccount:a:b", "j@x.io", "a b", "x:y");

    private final Random random = new Random(SEED);
    private final ScriptedServer server =
            ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(200, "{}")));
    private final Map<String, String> expected = new TreeMap<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void writePlugin() throws IOException {
        Path script = folder.resolve("plugin");
        Files.writeString(script, """
                #!/bin/sh
                echo "$NOISE" >&2
                test -z "$FAILS" || exit 3
                printf '{"kind": "ExecCredential", "apiVersion": "%s", "status": {"token": "'
                printf '%%s\\0' "$DRAWN" "$@" | base64 -w 0 | tr '+/' '-_'
                printf '"}}'
                """.formatted(API));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String draw(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private List<String> drawSome(List<String> from) {
        List<String> drawn = new ArrayList<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            drawn.add(draw(from));
        }
        return drawn;
    }

    private Map<String, Object> drawUser(boolean fails) throws IOException {
        Map<String, Object> user = new LinkedHashMap<>();
        int credentials = fails ? 0 : random.nextInt(6);
        if (credentials < 2) {
            user.put("exec", drawPlugin(fails));
        } else if (credentials == 2) {
            user.put(
                    "tokenFile",
                    Files.writeString(folder.resolve("token"), "of-file\n")
                            .getFileName()
                            .toString());
            user.put("token", "of-config");
            expected.put("authorization", "Bearer of-file");
        } else if (credentials < 5) {
            user.put("token", "of-config");
            expected.put("authorization", "Bearer of-config");
        }
        if (random.nextBoolean()) {
            impersonate(user);
        }
        return user;
    }

    private Map<String, Object> drawPlugin(boolean fails) {
        List<String> arguments = drawSome(TEXTS);
        String variable = draw(TEXTS);
        StringBuilder given = new StringBuilder(variable).append('\0');
        arguments.forEach(argument -> given.append(argument).append('\0'));
        expected.put(
                "authorization",
                "Bearer "
                        + Base64.getUrlEncoder().encodeToString(given.toString().getBytes(StandardCharsets.UTF_8)));
        List<Map<String, String>> variables = new ArrayList<>(
                List.of(Map.of("name", "DRAWN", "value", variable), Map.of("name", "NOISE", "value", NOISE)));
        if (fails) {
            variables.add(Map.of("name", "FAILS", "value", "yes"));
        }
        return Map.of(
                "apiVersion", API,
                "interactiveMode", "IfAvailable",
                "command",
                        random.nextBoolean()
                                ? "./plugin"
                                : folder.resolve("plugin").toString(),
                "args", arguments,
                "env", variables);
    }

    private void impersonate(Map<String, Object> user) {
        String name = draw(NAMES);
        user.put("as", name);
        expected.put("impersonate-user", name);
        List<String> groups = drawSome(List.of("g1", "system:masters", "a b"));
        if (!groups.isEmpty()) {
            user.put("as-groups", groups);
            expected.put("impersonate-group", String.join(", ", groups));
        }
        if (random.nextInt(3) == 0) {
            user.put("as-uid", "u-1");
            expected.put("impersonate-uid", "u-1");
        }
        List<String> scopes = drawSome(List.of("view", "edit", "x y"));
        if (!scopes.isEmpty()) {
            user.put("as-user-extra", Map.of("scopes", scopes));
            expected.put("impersonate-extra-scopes", String.join(", ", scopes));
        }
    }

    private Config config(Map<String, Object> user) throws JsonProcessingException, IOException {
        Map<String, Object> kubeconfig = Map.of(
                "current-context", "c",
                "contexts", List.of(Map.of("name", "c", "context", Map.of("cluster", "c", "user", "u"))),
                "clusters", List.of(Map.of("name", "c", "cluster", Map.of("server", server.address()))),
                "users", List.of(Map.of("name", "u", "user", user)));
        Path file = folder.resolve("config");
        Files.write(file, KubernetesJson.mapper().writeValueAsBytes(kubeconfig));
        return KubeconfigReader.ofFiles(List.of(file)).read(null);
    }

    @Test
    void requestsWhenUsersAreDrawnHaveTheirRightsOnly() throws IOException {
        try (CapturedLog log = CapturedLog.of("ROOT")) {
            for (int i = 0; i < CASES; i++) {
                boolean fails = random.nextInt(20) == 0;
                expected.clear();
                server.requests().clear();
                Map<String, Object> user = drawUser(fails);
                String what = "seed " + SEED + ", case " + i + ": " + user;
                try (ApiConnection connection = ApiConnection.open(config(user))) {
                    check(connection, fails, what);
                }
            }
            assertThat(log.lines(Level.TRACE)).noneMatch(line -> line.contains(NOISE));
        }
    }

    private void check(ApiConnection connection, boolean fails, String what) {
        if (fails) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .as(what)
                    .hasMessageContaining("plugin' failed with exit code 3")
                    .hasMessageNotContaining(NOISE);
            assertThat(server.requests()).as(what).isEmpty();
            return;
        }
        assertThat(connection.send(GET).code()).as(what).isEqualTo(200);
        Map<String, String> sent = new TreeMap<>(server.requests().get(0).headers());
        sent.keySet().removeIf(name -> !name.equals("authorization") && !name.startsWith("impersonate-"));
        assertThat(sent).as(what).isEqualTo(expected);
    }
}
