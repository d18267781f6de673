package io.github.reconciler4j.test.kubernetes;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** The API server inside the JVM with permissions and without controllers, in place of a real control plane. */
final class InJvmKubernetes implements AnyKubernetes {

    private final KubernetesServer server;
    private final AtomicInteger namespaces = new AtomicInteger();
    private final Path kubeconfig;

    private InJvmKubernetes(KubernetesServer server) {
        this.server = server;
        try {
            kubeconfig = Files.createTempFile("kubeconfig", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kubeconfig.toFile().deleteOnExit();
        server.writeKubeconfig(kubeconfig);
    }

    /** Start a server with a node. */
    static InJvmKubernetes start() {
        KubernetesServer server = KubernetesServer.builder().rbac(true).start();
        InJvmKubernetes kubernetes = new InJvmKubernetes(server);
        kubernetes.with(client -> client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("node-0")
                        .endMetadata()
                        .build())
                .create());
        return kubernetes;
    }

    @Override
    public Config config() {
        return server.clientConfig();
    }

    @Override
    public Config config(String user) {
        return user.equals("admin") ? config() : server.clientConfig(server.addUser(user, "developers"));
    }

    @Override
    public Config serviceAccountConfig(String namespace, String account) {
        return server.clientConfig(server.addUser(
                "system:serviceaccount:" + namespace + ":" + account,
                "system:serviceaccounts",
                "system:serviceaccounts:" + namespace,
                "system:authenticated"));
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public String createNamespace(String prefix) {
        String name = prefix + "-" + namespaces.incrementAndGet();
        with(client -> client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create());
        return name;
    }

    /** The server serves them as soon as it has answered. */
    @Override
    public void applyDefinitions(String definitions) {
        apply(definitions);
    }

    @Override
    public void close() {
        server.close();
    }
}
