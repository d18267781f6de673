package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.fixtures.StormServer;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Whatever an API server answers, an installer sends it few requests, and installs soon after it works again. In virtual time. */
class CrdInstallerStormTests {

    private static final int CASES = Integer.getInteger("storm.installer.cases", 300);
    private static final int FIRST = Integer.getInteger("storm.installer.seed", 0);
    private static final int HEALTHY = 4;
    private static final CustomResourceDefinition WIDGET = new KubernetesSerialization()
            .unmarshal(Definitions.of("example.com", "Widget"), CustomResourceDefinition.class);

    /** The longest backoff, one request each two seconds, and some for the definition. */
    private static final Duration INSTALLED_WITHIN = Duration.ofSeconds(36 + 60);

    private final Logger log = (Logger) LoggerFactory.getLogger(CrdInstaller.class);

    @BeforeEach
    void quiet() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void loud() {
        log.setLevel(null);
    }

    @Test
    void requestsWhateverTheServerAnswersAreFewAndTheDefinitionIsInstalledSoonAfterItRecovers() throws Exception {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            Random random = new Random(seed);
            String story = "seed " + seed + " (-Dstorm.installer.seed=" + seed + " -Dstorm.installer.cases=1)";
            Server server = new Server(random, Duration.ofSeconds(random.nextInt(300)));
            run(server, story);
            server.assertFew(HEALTHY, story);
        }
    }

    /** Starts the installer again as a manager does, until it has started or never will. */
    private static void run(Server server, String story) throws InterruptedException {
        CrdInstaller installer = installer(server);
        Backoff backoff = Backoff.of(
                LifecycleOptions.defaults().retryDelay(),
                LifecycleOptions.defaults().maxRetryDelay());
        for (int attempts = 1; ; attempts++) {
            boolean healthy = server.isHealthy();
            long start = server.clock().nanoTime();
            try {
                installer.start();
                assertThat(installer.notReadyReason()).as(story).isEmpty();
                return;
            } catch (ComponentNotReadyException | ApiException | IllegalStateException e) {
                server.clock().pass(backoff.delay(attempts));
            }
            Duration took = Duration.ofNanos(server.clock().nanoTime() - start);
            assertThat(healthy && took.compareTo(INSTALLED_WITHIN) > 0)
                    .as(() -> story + " took " + took + server.tail())
                    .isFalse();
        }
    }

    private static CrdInstaller installer(Server server) {
        ManagerOptions options = ManagerOptions.defaults().withName("widgets").withTimeSource(server.clock());
        Client client = ClientWiring.of(server, Scheme.create()).create(ClientOptions.defaults());
        Manager manager = (Manager) Proxy.newProxyInstance(
                Manager.class.getClassLoader(),
                new Class<?>[] {Manager.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "options" -> options;
                    case "client" -> server.refresh(client);
                    case "add" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return CrdInstaller.addTo(
                manager, List.of(WIDGET), CrdInstallerOptions.defaults().withMigrateStorage(false));
    }

    @Test
    void startWhenTheDefinitionIsNeverEstablishedSaysSoOnceAndWhenItIsOver() throws Exception {
        log.setLevel(null);
        Server server = new Server(new Random(0), Duration.ZERO);
        server.establishedAt =
                server.clock().nanoTime() + Duration.ofSeconds(50).toNanos();
        CrdInstaller installer = installer(server);
        try (CapturedLog lines = CapturedLog.of(CrdInstaller.class.getName())) {
            server.looked = () -> server.reasons.put(installer.notReadyReason(), server.requests());
            installer.start();
            assertThat(lines.lines(Level.WARN)).singleElement().asString().contains("is not usable yet");
            assertThat(lines.lines(Level.INFO)).last().asString().contains("is usable now");
        }
        assertThat(server.reasons.keySet())
                .anySatisfy(reason -> assertThat(reason).contains("is not usable yet"));
        assertThat(installer.notReadyReason()).isEmpty();
        assertThat(server.requests()).isBetween(10, 36);
    }

    /** Keeps one definition, and shows it as others would have left it. */
    private static final class Server extends StormServer {

        private final int fault = random.nextInt(6);
        private final Map<String, Integer> reasons = new LinkedHashMap<>();
        private Map<String, Object> stored = Map.of();
        private long version = 10;
        private long establishedAt;
        private long refreshedAt;
        private Runnable looked = () -> {};

        Server(Random random, Duration hostile) {
            super(random, hostile);
        }

        /** Discovery asks again for what is missing after two seconds, by the clock of the system. */
        Client refresh(Client client) {
            if (clock.nanoTime() - refreshedAt >= 2_000_000_000L) {
                refreshedAt = clock.nanoTime();
                client.discovery().forget();
            }
            return client;
        }

        @Override
        protected String healthy(ApiRequest request) {
            looked.run();
            if (request.path().startsWith("/apis/example.com")) {
                return "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"widgets\",\"kind\":\"Widget\","
                        + "\"namespaced\":true,\"verbs\":[\"list\"]}]}";
            }
            if (!request.method().equals("GET")) {
                stored = parse(request.body());
                version++;
            }
            if (stored.isEmpty()) {
                throw refused(404);
            }
            return definition(clock.nanoTime() - establishedAt >= 0);
        }

        private String definition(boolean established) {
            Map<String, Object> live = new LinkedHashMap<>(stored);
            Map<String, Object> metadata = new LinkedHashMap<>(map(stored, "metadata"));
            metadata.put("resourceVersion", Long.toString(version));
            metadata.put("uid", "7");
            live.put("metadata", metadata);
            String state = established ? "True" : "False";
            live.put(
                    "status",
                    Map.of(
                            "storedVersions",
                            List.of("v1"),
                            "conditions",
                            List.of(
                                    Map.of("type", "NamesAccepted", "status", "True"),
                                    Map.of("type", "Established", "status", state))));
            return text(live);
        }

        @Override
        protected String plausible(ApiRequest request) {
            boolean write = !request.method().equals("GET");
            switch (fault) {
                case 0 -> throw refused(write ? 409 : 404);
                case 1 -> {
                    if (write) {
                        throw refused(409);
                    }
                    version++;
                    return stored.isEmpty() ? foreign() : definition(true);
                }
                case 2 -> {
                    healthy(request);
                    return definition(false);
                }
                case 3 -> {
                    String answer = healthy(request);
                    return answer.replace("\"served\":true", "\"served\":false");
                }
                case 4 -> {
                    if (request.path().startsWith("/apis/example.com")) {
                        return "{\"kind\":\"APIResourceList\",\"resources\":[]}";
                    }
                    return healthy(request);
                }
                default -> {
                    if (write) {
                        return healthy(request);
                    }
                    throw refused(404);
                }
            }
        }

        private String foreign() {
            stored = parse(text(new KubernetesSerialization().clone(WIDGET)).getBytes(StandardCharsets.UTF_8));
            return definition(true);
        }

        @SuppressWarnings("unchecked")
        private static Map<String, Object> map(Map<String, Object> from, String field) {
            return from.get(field) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
        }

        private static Map<String, Object> parse(byte[] json) {
            try {
                return KubernetesJson.readMap(json);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String text(Object value) {
            try {
                return KubernetesJson.mapper().writeValueAsString(value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
