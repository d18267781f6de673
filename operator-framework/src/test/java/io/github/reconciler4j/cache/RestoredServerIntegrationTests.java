package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A real API server whose etcd is restored from a copy of its data without a version bump. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class RestoredServerIntegrationTests extends RestoredServerPromises {

    private final RealKubernetes kubernetes;
    private final Path data;
    private final Path copy;

    RestoredServerIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.data = kubernetes.kubeconfig().resolveSibling("etcd");
        this.copy = kubernetes.kubeconfig().resolveSibling("etcd-copy");
    }

    @Override
    Config config() {
        return kubernetes.config();
    }

    @Override
    String createNamespace() {
        return kubernetes.createNamespace("setback");
    }

    @Override
    void backUp() {
        kubernetes.kill(KubernetesComponent.APISERVER);
        kubernetes.stop(KubernetesComponent.ETCD);
        copy(data, copy);
        kubernetes.start(KubernetesComponent.ETCD);
        kubernetes.start(KubernetesComponent.APISERVER);
    }

    @Override
    void restore() {
        kubernetes.kill(KubernetesComponent.APISERVER);
        kubernetes.kill(KubernetesComponent.ETCD);
        try {
            Files.move(data, data.resolveSibling("etcd-lost"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        copy(copy, data);
        kubernetes.start(KubernetesComponent.ETCD);
        kubernetes.start(KubernetesComponent.APISERVER);
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
