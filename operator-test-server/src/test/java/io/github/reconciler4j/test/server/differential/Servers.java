package io.github.reconciler4j.test.server.differential;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.util.Map;

/**
 * A real API server and one inside the JVM, of the same version and with the same users. Of the real one's controllers only those run that this
 * server has too. Safe for use by many threads.
 */
final class Servers implements AutoCloseable {
    private final RealKubernetes real;
    private final KubernetesServer inside;
    /** Both servers have this version, such as 37. */
    final int minor;

    final Map<String, ApiUser> realUsers;
    final Map<String, ApiUser> insideUsers;

    private Servers(RealKubernetes real, KubernetesServer inside, int minor) {
        this.real = real;
        this.inside = inside;
        this.minor = minor;
        ApiUser alice = ApiUser.of(real.config("alice"));
        realUsers = Map.of(
                "admin", ApiUser.of(real.config()),
                "alice", alice,
                "anonymous", alice.withToken(null),
                "stranger", alice.withToken("wrong"));
        ApiUser other = ApiUser.of(inside.clientConfig(inside.addUser("alice", "developers")));
        insideUsers = Map.of(
                "admin", ApiUser.of(inside.clientConfig()),
                "alice", other,
                "anonymous", other.withToken(null),
                "stranger", other.withToken("wrong"));
    }

    static Servers start() {
        RealKubernetes real = RealKubernetes.start(RealKubernetesOptions.defaults()
                .withOnly(KubernetesComponent.CONTROLLER_MANAGER)
                .withArgument(
                        KubernetesComponent.CONTROLLER_MANAGER,
                        "--controllers=garbage-collector-controller,namespace-controller,resourcequota-controller,serviceaccount-controller")
                .withArgument(KubernetesComponent.APISERVER, "--disable-admission-plugins=ServiceAccount"));
        int minor = Integer.parseInt(
                real.with(client -> client.getKubernetesVersion().getMinor()));
        KubernetesServer inside =
                KubernetesServer.builder().rbac(true).minorVersion(minor).start();
        return new Servers(real, inside, minor);
    }

    @Override
    public void close() {
        inside.close();
        real.close();
    }
}
