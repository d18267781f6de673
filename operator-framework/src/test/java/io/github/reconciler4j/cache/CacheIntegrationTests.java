package io.github.reconciler4j.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The promises of the cache, held against a real API server that is killed, and whose etcd is compacted. */
@RealKubernetesTest(dedicated = true, components = KubernetesComponent.CONTROLLER_MANAGER)
class CacheIntegrationTests extends CachePromises {

    private final RealKubernetes kubernetes;

    CacheIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Override
    Config config() {
        return kubernetes.config();
    }

    @Override
    Config config(String user) {
        return kubernetes.config(user);
    }

    @Override
    Config tokenConfig() {
        kubernetes.kubectl("create", "serviceaccount", "token", "-n", namespace);
        kubernetes.kubectl(
                "create",
                "clusterrolebinding",
                namespace,
                "--clusterrole=cluster-admin",
                "--serviceaccount=" + namespace + ":token");
        return kubernetes.serviceAccountConfig(namespace, "token");
    }

    @Override
    String createNamespace() {
        return kubernetes.createNamespace("cache");
    }

    @Override
    void crash() {
        kubernetes.kill(KubernetesComponent.APISERVER);
    }

    @Override
    void recover() {
        kubernetes.start(KubernetesComponent.APISERVER);
    }

    /** The API server keeps recent events in memory, so it has to restart after the compaction. */
    @Override
    void forgetHistory() {
        compactEtcd(newestVersion());
        kubernetes.kill(KubernetesComponent.APISERVER);
        kubernetes.start(KubernetesComponent.APISERVER);
    }

    private String newestVersion() {
        try (ApiConnection connection = ApiConnection.open(kubernetes.config())) {
            String list = new String(
                    connection
                            .send(ApiRequest.of("list", "GET", "/api/v1/nodes"))
                            .body(),
                    StandardCharsets.UTF_8);
            return list.replaceFirst("(?s).*?\"resourceVersion\":\\s*\"(\\d+)\".*", "$1");
        }
    }

    /** Through etcd's JSON gateway, on the socket beside the kubeconfig. */
    private void compactEtcd(String revision) {
        Path socket = kubernetes.kubeconfig().resolveSibling("etcd.sock");
        String body = "{\"revision\":\"" + revision + "\",\"physical\":true}";
        String request = "POST /v3/kv/compaction HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
        try (SocketChannel etcd = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            etcd.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            ByteBuffer answer = ByteBuffer.allocate(1024);
            etcd.read(answer);
            assertThat(new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8))
                    .as("etcd's answer to a compaction at %s", revision)
                    .contains(" 200 ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
