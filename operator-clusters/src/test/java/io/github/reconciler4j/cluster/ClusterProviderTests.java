package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters of Secrets, of a folder and of an own provider join and leave. */
@Timeout(180)
class ClusterProviderTests {

    private static final String SECRET_TEXT = "do-not-log-me";

    private final KubernetesServer home = KubernetesServer.start();
    private final KubernetesServer away = KubernetesServer.start();
    private final Manager manager = Manager.create(home.clientConfig());

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        manager.close();
        home.close();
        away.close();
    }

    private String kubeconfig() throws IOException {
        Path file = Files.createTempFile(folder, "config", ".txt");
        away.writeKubeconfig(file);
        return Files.readString(file);
    }

    private static Secret secret(String name, String content, Map<String, String> labels) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .addToStringData("kubeconfig", content)
                .build();
    }

    private static Secret secret(String name, String content) {
        return secret(name, content, Map.of(KubeconfigSecrets.LABEL, "true"));
    }

    private Cluster awaitCluster(String name, Predicate<Cluster> condition) {
        return Awaitility.await(name + " joins")
                .atMost(Duration.ofSeconds(60))
                .until(() -> Clusters.of(manager).find(name).filter(condition), Optional::isPresent)
                .orElseThrow();
    }

    private void awaitGone(String name) {
        Awaitility.await(name + " leaves")
                .atMost(Duration.ofSeconds(60))
                .until(() -> Clusters.of(manager).find(name).isEmpty());
    }

    @Test
    void secretsWhenTheyAppearChangeAndLoseTheLabelJoinRejoinAndLeave() throws IOException {
        Controller<String> controller = ClusterProviders.add(manager, KubeconfigSecrets.in(manager, "default"));
        assertThat(controller.requiredPermissions())
                .containsExactly(
                        RequiredPermission.onCore("secrets", "list", "watch").inNamespace("default"));
        manager.start();
        manager.client().create(secret("other", kubeconfig(), Map.of()));
        manager.client().create(secret("east", kubeconfig()));

        Cluster first = awaitCluster("east", cluster -> true);

        assertThat(first.connection().server()).contains(Integer.toString(away.port()));
        assertThat(first.client().live().list(Secret.class)).isEmpty();
        manager.client().apply(secret("east", kubeconfig() + "\n# changed"));
        Cluster second = awaitCluster("east", cluster -> cluster != first);
        assertThat(second.client().live().list(Secret.class)).isEmpty();
        manager.client().update(withLabel(false));
        awaitGone("east");
        manager.client().update(withLabel(true));
        awaitCluster("east", cluster -> true);
        manager.client().delete(secret("east", ""));
        awaitGone("east");
        assertThat(Clusters.of(manager).joined()).isEmpty();
        assertThat(home.requests().matching(request -> Set.of("list", "watch").contains(request.verb())))
                .isNotEmpty()
                .allMatch(logged -> logged.request().namespace().equals("default"));
    }

    private Secret withLabel(boolean wanted) {
        Secret secret = manager.client()
                .live()
                .get(Secret.class, ObjectKey.of("default", "east"))
                .orElseThrow();
        secret.getMetadata().setLabels(wanted ? Map.of(KubeconfigSecrets.LABEL, "true") : Map.of());
        return secret;
    }

    @Test
    void secretWhenItsKubeconfigIsNotAllowedKeepsTheClusterAndIsNotLogged() throws IOException {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j")) {
            Controller<String> controller = ClusterProviders.add(manager, KubeconfigSecrets.in(manager, "default"));
            manager.start();
            manager.client().create(secret("east", kubeconfig()));
            Cluster cluster = awaitCluster("east", each -> true);
            notAllowed().forEach((problem, content) -> {
                manager.client().apply(secret("east", content));
                Awaitility.await(problem)
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> controller.operations().failing(1).stream()
                                .anyMatch(failing -> failing.error().contains(problem)));
            });
            assertThat(Clusters.of(manager).find("east")).containsSame(cluster);
            assertThat(log.lines(Level.TRACE)).noneMatch(line -> line.contains(SECRET_TEXT));
        }
    }

    private static Map<String, String> notAllowed() {
        return Map.of(
                "is not a valid kubeconfig",
                SECRET_TEXT + ": [",
                "has no current context",
                "current-context: " + SECRET_TEXT,
                "must not execute commands",
                user("exec: {apiVersion: v1, command: " + SECRET_TEXT + "}"),
                "must not refer to files: embed credentials",
                user("tokenFile: /" + SECRET_TEXT),
                "must not refer to files: embed the certificate authority",
                user("token: a").replace("https://a}", "https://a, certificate-authority: /" + SECRET_TEXT + "}"));
    }

    private static String user(String fields) {
        return "current-context: c\ncontexts: [{name: c, context: {cluster: a, user: u}}]\n"
                + "clusters: [{name: a, cluster: {server: https://a}}]\nusers: [{name: u, user: {" + fields + "}}]\n";
    }

    /** Files whose content or name is anything must not keep the others from joining. */
    @Test
    void filesWhenTheyAreHostileLetTheOthersJoin() throws IOException {
        Path clusters = Files.createDirectory(folder.resolve("clusters"));
        Files.write(clusters.resolve("binary.yaml"), new byte[] {(byte) 0xC0, (byte) 0xFF, 0, 1});
        for (String name : List.of("a\nb", "a b", "-", "home", "UPPER", "{{x}}", "x".repeat(240))) {
            Files.writeString(clusters.resolve(name + ".yaml"), kubeconfig());
        }
        Files.createSymbolicLink(clusters.resolve("link.yaml"), clusters.resolve("link.yaml"));
        away.writeKubeconfig(clusters.resolve("west.yaml"));

        ClusterProviders.add(manager, KubeconfigFolder.of(clusters).withInterval(Duration.ofMillis(20)));
        manager.start();

        awaitCluster("west", cluster -> true);
        assertThat(Clusters.of(manager).find("binary")).isEmpty();
        assertThat(Clusters.of(manager).find("a\nb")).isEmpty();
    }

    @Test
    void folderWhenItDoesNotExistIsNamedOnce() throws IOException {
        Path clusters = folder.resolve("misspelled");
        try (CapturedLog log = CapturedLog.of(KubeconfigFolder.class.getName())) {
            ClusterProviders.add(manager, KubeconfigFolder.of(clusters).withInterval(Duration.ofMillis(20)));
            manager.start();
            await("the warning").until(() -> !log.lines(Level.WARN).isEmpty());

            Files.createDirectory(clusters);

            await("the folder is found").until(() -> log.lines(Level.INFO).size() > 1);
            assertThat(log.lines(Level.INFO))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("WARN The folder " + clusters)
                                    .contains("does not exist"),
                            line -> assertThat(line)
                                    .startsWith("INFO The folder " + clusters)
                                    .contains("exists now"));
        }
    }

    @Test
    void fileWhenItIsNoKubeconfigIsNamedWithoutAStackTrace() throws IOException {
        Path file = Files.writeString(
                Files.createDirectory(folder.resolve("clusters")).resolve("broken.yaml"), "[");

        assertThatThrownBy(() -> KubeconfigFolder.of(file.getParent()).find("broken"))
                .hasMessage("The kubeconfig '" + file + "' is not a valid kubeconfig (line 1, column 1) (R4J-031)")
                .satisfies(failure -> assertThat(failure.getStackTrace()).isEmpty());
    }

    @Test
    void filesWhenTheyAppearChangeAndVanishJoinRejoinAndLeave() throws IOException {
        ClusterProviders.add(
                manager, KubeconfigFolder.of(folder.resolve("clusters")).withInterval(Duration.ofMillis(20)));
        manager.start();
        Path clusters = Files.createDirectory(folder.resolve("clusters"));
        Files.writeString(clusters.resolve("README.txt"), "no kubeconfig");
        Path file = clusters.resolve("west.yaml");
        away.writeKubeconfig(file);

        Cluster first = awaitCluster("west", cluster -> true);

        assertThat(first.client().live().list(Secret.class)).isEmpty();
        Files.writeString(file, kubeconfig() + "\n# changed");
        awaitCluster("west", cluster -> cluster != first);
        Files.delete(file);
        awaitGone("west");
    }

    @Test
    void providerWhenItFailsIsRetriedAndKeepsTheCluster() {
        ChannelSource<String, String> source = ChannelSource.ofRequests("names");
        Map<String, Object> versions = new ConcurrentHashMap<>(Map.of("north", 1));
        AtomicBoolean broken = new AtomicBoolean(true);
        ClusterProviders.add(manager, new ClusterProvider() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public RequestSource<String> source() {
                return source;
            }

            @Override
            public Optional<Definition> find(String cluster) {
                if (broken.compareAndSet(true, false)) {
                    throw new IllegalStateException("for a test");
                }
                return Optional.ofNullable(versions.get(cluster))
                        .map(version -> new Definition(away.clientConfig(), version));
            }
        });
        manager.start();
        source.send("north");
        Cluster cluster = awaitCluster("north", each -> true);
        Clusters.of(manager).remove("north");
        assertThat(Clusters.of(manager).joined()).isEmpty();
        versions.put("north", 2);
        source.send("north");
        awaitCluster("north", each -> each != cluster);
        versions.clear();
        source.send("north");
        awaitGone("north");
    }
}
