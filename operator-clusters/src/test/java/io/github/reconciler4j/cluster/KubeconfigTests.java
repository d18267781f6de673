package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.cluster.ClusterProvider.Definition;
import io.github.reconciler4j.fixtures.LoopbackListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields of a kubeconfig the client follows, by what it sends, and which are rejected. */
@Timeout(60)
class KubeconfigTests {

    private final BlockingQueue<List<String>> requests = new LinkedBlockingQueue<>();
    private final LoopbackListener listener;

    @TempDir
    private Path folder;

    KubeconfigTests() throws IOException {
        listener = new LoopbackListener("kubeconfig-test", this::answer);
    }

    @AfterEach
    void close() {
        listener.close();
    }

    /** Takes note of the lines of a request, and answers what no client can use. */
    private void answer(Socket socket) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
            lines.add(line);
        }
        requests.add(lines);
        byte[] response =
                "HTTP/1.1 418 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(response);
        socket.close();
    }

    private static String kubeconfig(String cluster, String user) {
        return "current-context: c\ncontexts: [{name: o, context: {cluster: o}}, {name: c, context: {cluster: a, user: u}}]\n"
                + "clusters: [{name: o, cluster: {server: 'https://o'}}, {name: a, cluster: {" + cluster + "}}]\n"
                + "users: [{name: u, user: {" + user + "}}]\n";
    }

    private String server() {
        return "server: 'http://127.0.0.1:" + listener.port() + "'";
    }

    private static Definition embedded(String content) {
        return definition(Kubeconfig.embedded("The kubeconfig", content));
    }

    private static Definition definition(Kubeconfig kubeconfig) {
        return new Definition(kubeconfig.read(), "");
    }

    private List<String> sentTo(Definition cluster) throws InterruptedException {
        try (ApiConnection connection = ApiConnection.open(cluster.config())) {
            connection.send(ApiRequest.of("get", "GET", "/version"));
        } catch (ApiException e) {
            // Nothing but the request matters.
        }
        List<String> request = requests.poll(30, TimeUnit.SECONDS);
        assertThat(request).as("a request").isNotNull();
        requests.clear();
        return request;
    }

    @ParameterizedTest
    @CsvSource({"https://api.invalid:6443, CONNECT api.invalid:6443 ", "http://api.invalid:80, GET http://api.invalid"})
    void proxyWhenAKubeconfigNamesOneIsUsedForEachScheme(String server, String request) throws Exception {
        String proxy = "proxy-url: 'http://127.0.0.1:" + listener.port() + "'";
        Definition cluster = embedded(kubeconfig("server: '" + server + "', " + proxy, ""));
        assertThat(sentTo(cluster).get(0)).startsWith(request.strip());
    }

    @Test
    void impersonationWhenAKubeconfigNamesAUserIsSent() throws Exception {
        String user = "token: t, as: alice, as-groups: [dev, ops], as-user-extra: {scopes: [view]}";
        assertThat(sentTo(embedded(kubeconfig(server(), user))))
                .contains(
                        "Authorization: Bearer t",
                        "Impersonate-User: alice",
                        "Impersonate-Group: dev",
                        "Impersonate-Group: ops",
                        "Impersonate-Extra-scopes: view");
    }

    @Test
    void tokenFileWhenAFileNamesItIsRead() throws Exception {
        Path file = Files.writeString(folder.resolve("east.yaml"), kubeconfig(server(), "tokenFile: token"));
        Path token = Files.writeString(folder.resolve("token"), "first\n");
        Definition cluster = definition(Kubeconfig.ofFile(file));
        assertThat(sentTo(cluster)).contains("Authorization: Bearer first");
        Files.writeString(token, "second\n");
        assertThat(sentTo(definition(Kubeconfig.ofFile(file)))).contains("Authorization: Bearer second");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxy-url: 'ftp://proxy:1' | token: t | has a 'proxy-url' that does not start with http://, https:// or socks5://",
                "proxy-url: 'proxy:1' | token: t | has a 'proxy-url' that does not start with http://, https:// or socks5://",
                "insecure-skip-tls-verify: true, certificate-authority-data: YQ== | token: t"
                        + " | has both a certificate authority and 'insecure-skip-tls-verify'",
                "tls-server-name: a | as-groups: [g] | has 'as-uid', 'as-groups' or 'as-user-extra' without 'as'",
                "tls-server-name: a | as-uid: b | has 'as-uid', 'as-groups' or 'as-user-extra' without 'as'",
                "tls-server-name: a | token: t, username: u | has both a password and a token for one user",
                "tls-server-name: a | token: 1 | has a field 'users.user.token' that is no text",
                "tls-server-name: a | client-certificate-data: YQ== | has a client certificate without a key",
                "tls-server-name: a | exec: {apiVersion: client.authentication.k8s.io/v1, command: ls}"
                        + " | has an exec plug-in without an 'interactiveMode', which client.authentication.k8s.io/v1 requires",
                "tls-server-name: a | exec: {apiVersion: client.authentication.k8s.io/v1, command: ls, interactiveMode: Always}"
                        + " | has an exec plug-in with the 'interactiveMode' Always, but this program has no terminal",
                "tls-server-name: a | exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: ls}"
                        + " | has an exec plug-in with an 'apiVersion' other than client.authentication.k8s.io/v1 and"
                        + " client.authentication.k8s.io/v1beta1",
                "tls-server-name: a | exec: {apiVersion: client.authentication.k8s.io/v1beta1}"
                        + " | has an exec plug-in without a 'command'"
            })
    void kubeconfigWhenKubectlRefusesItIsRejected(String cluster, String user, String problem) throws Exception {
        Path file = Files.writeString(folder.resolve("east.yaml"), kubeconfig(server() + ", " + cluster, user));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kubeconfig.ofFile(file).read())
                .withMessage("The kubeconfig '" + file + "' " + problem + " (R4J-031)");
        assertThat(requests).isEmpty();
    }

    @Test
    void userWhoIsImpersonatedIsSentWithUidAndEscapedNames() throws Exception {
        String user = "token: t, as: jürgen, as-uid: u1, as-groups: [a b], as-user-extra: {'example.com/x y': [v]}";
        assertThat(sentTo(embedded(kubeconfig(server(), user))))
                .contains(
                        "Impersonate-Uid: u1",
                        "Impersonate-User: jürgen",
                        "Impersonate-Group: a b",
                        "Impersonate-Extra-example.com%2Fx%20y: v");
    }
}
