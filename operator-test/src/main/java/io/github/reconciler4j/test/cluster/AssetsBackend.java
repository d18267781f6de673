package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd and kube-apiserver, started from their programs. All clusters of this JVM share one, which ends with the
 * JVM.
 *
 * @param plane the running programs
 */
record AssetsBackend(ControlPlane plane) implements Backend {
    private static final Map<Path, ControlPlane> RUNNING = new ConcurrentHashMap<>();

    static Backend shared(@Nullable String assets) {
        if (assets == null) {
            throw new IllegalStateException("'" + ClusterChoice.PROPERTY + "' is 'assets': set KUBEBUILDER_ASSETS (or '"
                    + ClusterChoice.ASSETS_PROPERTY + "') to the folder with etcd and kube-apiserver");
        }
        Path folder = Path.of(assets).toAbsolutePath();
        for (String program : List.of("etcd", "kube-apiserver")) {
            if (!Files.isExecutable(folder.resolve(program))) {
                throw new IllegalStateException("KUBEBUILDER_ASSETS (or '" + ClusterChoice.ASSETS_PROPERTY + "') is "
                        + folder + ", which has no executable '" + program + "'");
            }
        }
        return new AssetsBackend(RUNNING.computeIfAbsent(folder, ControlPlane::start));
    }

    @Override
    public Config admin() {
        return plane.config("admin");
    }

    @Override
    public Config operator() {
        return plane.config(TestCluster.OPERATOR);
    }

    @Override
    public void close() {}
}
