package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The webhooks of an operator under test: the API server calls them at a free port of this machine, and the operator applies
 * their configurations. On a server that others use, they end with the application.
 */
final class OperatorWebhooks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorWebhooks.class);
    private static final String SERVER = "io.github.reconciler4j.webhook.WebhookServer";
    private static final String PREFIX = "reconciler4j.webhook.";

    /** The property with the name of the configurations. */
    static final String CONFIGURATION = PREFIX + "configuration-name";

    /** The property with the name of the Secret with the certificate authority. */
    static final String SECRET = PREFIX + "certificates.secret-name";

    /** The property with the namespace of that Secret. */
    static final String SECRET_NAMESPACE = PREFIX + "certificates.secret-namespace";

    /** The API group of the configurations. */
    static final String GROUP = "admissionregistration.k8s.io";

    private static final List<String> KINDS =
            List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations");
    private static final String CLUSTER = "reconciler4j.test.cluster";
    private static final String REMOTE = "context:";
    private static final String NAMESPACE = "default";

    private final TestCluster cluster;
    private final String configuration;
    private final @Nullable String url;
    private final @Nullable WebhookTraces traces;

    private OperatorWebhooks(TestCluster cluster, Map<String, Object> settings, @Nullable String url) {
        this.cluster = cluster;
        this.url = url;
        configuration = String.valueOf(settings.get(CONFIGURATION));
        traces = url == null || TestCluster.isInThisJvm() ? null : new WebhookTraces(cluster.client(), url);
    }

    private static boolean isAvailable() {
        return ClassUtils.isPresent(SERVER, ClassUtils.getDefaultClassLoader());
    }

    private static boolean isRemote() {
        return Optional.ofNullable(System.getProperty(CLUSTER))
                .or(() -> Optional.ofNullable(System.getenv("RECONCILER4J_TEST_CLUSTER")))
                .orElse("")
                .strip()
                .startsWith(REMOTE);
    }

    /**
     * Return the settings of an application; none without the module of webhooks.
     *
     * @param environment its properties with those of the test
     */
    static Map<String, Object> settings(OperatorRoles roles, Environment environment) {
        if (!isAvailable()) {
            return Map.of();
        }
        if (isRemote()) {
            if (environment.getProperty(PREFIX + "enabled", Boolean.class, false)
                    && environment.containsProperty(PREFIX + "url")) {
                return Map.of(
                        PREFIX + "drain",
                        "0s",
                        PREFIX + "apply-configurations",
                        true,
                        CONFIGURATION,
                        "operator-test-" + UUID.randomUUID(),
                        SECRET_NAMESPACE,
                        NAMESPACE);
            }
            LOG.info(
                    "Webhooks are disabled, because the cluster of a context cannot call this machine. If it can, set"
                            + " reconciler4j.webhook.enabled=true and reconciler4j.webhook.url in the properties of @OperatorTest");
            return Map.of(PREFIX + "enabled", false);
        }
        int port = freePort();
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(PREFIX + "host", "127.0.0.1");
        settings.put(PREFIX + "port", port);
        settings.put(PREFIX + "url", "https://127.0.0.1:" + port);
        settings.put(PREFIX + "drain", "0s");
        settings.put(PREFIX + "apply-configurations", true);
        settings.put(CONFIGURATION, "operator-test-" + port);
        settings.put(SECRET_NAMESPACE, NAMESPACE);
        settings.putAll(roles.webhookSettings());
        return settings;
    }

    /**
     * Return the settings of an application that runs with a server in its JVM during development; none without the module of
     * webhooks. The port stays the same when DevTools restarts the application, because the configurations stay too.
     */
    static Map<String, Object> developmentSettings(int port) {
        if (!isAvailable() || isRemote() || port == 0) {
            return Map.of(); // the port is known when the server has started only
        }
        return Map.of(
                PREFIX + "host",
                "127.0.0.1",
                PREFIX + "url",
                "https://127.0.0.1:" + port,
                PREFIX + "drain",
                "0s",
                PREFIX + "apply-configurations",
                true,
                SECRET_NAMESPACE,
                NAMESPACE);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Return what removes the webhooks of an application.
     *
     * @param settings the settings that were added to it
     * @param environment its properties with these settings and those of the test
     */
    static OperatorWebhooks of(TestCluster cluster, Map<String, Object> settings, Environment environment) {
        if (settings.containsKey(SECRET)) {
            OperatorRoles.createNamespace(cluster, String.valueOf(settings.get(SECRET_NAMESPACE)));
        }
        return new OperatorWebhooks(cluster, settings, isAvailable() ? environment.getProperty(PREFIX + "url") : null);
    }

    /**
     * Return a role with the rights that only an installation needs: to create the configurations. An operator under its
     * generated role has all others from that role. Empty without webhooks.
     *
     * @param all whether the generated role has no rights for webhooks, because certificates come from elsewhere
     */
    Optional<HasMetadata> role(boolean all) {
        if (url == null) {
            return Optional.empty();
        }
        ClusterRoleBuilder role = new ClusterRoleBuilder()
                .withNewMetadata()
                .withName("operator-test-webhooks")
                .endMetadata()
                .addNewRule()
                .withApiGroups(GROUP)
                .withResources(KINDS)
                .withVerbs("create")
                .endRule();
        if (all) {
            role.addNewRule()
                    .withApiGroups(GROUP)
                    .withResources(KINDS)
                    .withResourceNames(configuration)
                    .withVerbs("get", "patch")
                    .endRule();
            List<String> definitions = definitionsWithVersions();
            if (!definitions.isEmpty()) { // no names would mean all
                role.addNewRule()
                        .withApiGroups("apiextensions.k8s.io")
                        .withResources("customresourcedefinitions")
                        .withResourceNames(definitions)
                        .withVerbs("get", "patch")
                        .endRule();
            }
        }
        return Optional.of(role.build());
    }

    private List<String> definitionsWithVersions() {
        return cluster.client().apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                .filter(definition -> definition.getSpec().getVersions().size() > 1)
                .map(definition -> definition.getMetadata().getName())
                .toList();
    }

    @Override
    public void close() {
        if (traces != null) {
            traces.remove();
        }
    }
}
