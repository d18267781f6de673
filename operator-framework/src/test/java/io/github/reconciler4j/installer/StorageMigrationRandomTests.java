package io.github.reconciler4j.installer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.ServerChange;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Drawn histories of an operator that drops versions, see {@link MigrationHistory}. The server reads objects of versions that the
 * definition does not have, so the test keeps account of the version that each is stored in. More:
 * {@code -Dmigration.cases=2000}, one: {@code -Dmigration.seed=17 -Dmigration.cases=1}.
 */
class StorageMigrationRandomTests {

    private static final int CASES = Integer.getInteger("migration.cases", 40);
    private static final int FIRST = Integer.getInteger("migration.seed", 0);
    private static final int[] REFUSALS = {400, 403, 404, 405, 409, 413, 422, 500};
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesServer server =
            KubernetesServer.builder().https(false).garbageCollection(false).start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();

    @AfterEach
    void stop() {
        admin.close();
        server.close();
    }

    /** Keeps account of the versions that objects are stored in: of the storage version when they were written last. */
    private final class Model implements MigrationWorld {

        private final String group;
        private final Random random;
        private final Map<String, String> stored = new TreeMap<>();
        private List<String> versions = List.of();
        private String storage = "";
        private String violation = "";

        Model(String group, long seed) {
            this.group = group;
            this.random = new Random(seed);
        }

        void definitionChanged(ServerChange change) {
            if (!change.name().equals("widgets." + group)) {
                return;
            }
            if (change.type() == ServerChange.Type.REMOVED) {
                stored.clear();
                return;
            }
            List<String> now = new ArrayList<>();
            for (JsonNode version : parse(change.json()).path("spec").path("versions")) {
                now.add(version.path("name").asText());
                if (version.path("storage").asBoolean()) {
                    storage = version.path("name").asText();
                }
            }
            versions = now;
            stored.forEach((name, version) -> {
                if (!versions.contains(version)) {
                    violation = name + " is stored in " + version + ", but the definition has " + versions + " only";
                }
            });
        }

        void objectChanged(ServerChange change) {
            if (change.type() == ServerChange.Type.REMOVED) {
                stored.remove(change.name());
            } else {
                stored.put(change.name(), storage);
            }
        }

        @Override
        public KubernetesClient admin() {
            return admin;
        }

        @Override
        public Config operator() {
            return server.clientConfig();
        }

        @Override
        public CrdInstaller.Pace pace() {
            return new CrdInstaller.Pace(
                    Duration.ofMillis(2), Duration.ZERO, Backoff.of(Duration.ofMillis(1), Duration.ofMillis(1)));
        }

        @Override
        public void refuse(Set<String> names) {
            int code = REFUSALS[random.nextInt(REFUSALS.length)];
            RequestMatch patches = RequestMatch.verbs("patch").kind("Widget");
            for (String name : names) {
                server.faults()
                        .add(FaultRule.of(patches.name(name), new Fault.Respond(code, "Refused", "refused", Map.of())));
            }
        }

        @Override
        public void allow() {
            server.faults().clear();
        }

        /** A patch that changes nothing is no change, but stores the object in the storage version. */
        @Override
        public void accepted(ClientCall call) {
            if (call.verb() == ClientCall.Verb.PATCH
                    && call.kind().kind().kind().equals("Widget")) {
                String name = call.key().orElseThrow().name();
                stored.computeIfPresent(name, (key, version) -> storage);
            }
        }

        @Override
        public Map<String, String> stored() {
            return stored;
        }

        @Override
        public String violation() {
            return violation;
        }
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void objectsWhateverHappensStayReadable() {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            String group = "m" + seed + ".example.com";
            Model model = new Model(group, seed);
            server.onChange("apiextensions.k8s.io", "customresourcedefinitions", model::definitionChanged);
            server.onChange(group, "widgets", model::objectChanged);
            try {
                new MigrationHistory(seed, model, group).run();
            } catch (AssertionError e) {
                throw new AssertionError("-Dmigration.seed=" + seed + ": " + e.getMessage(), e);
            }
            server.faults().clear();
            MigrationEdit.definition(admin, "widgets." + group).delete();
        }
    }
}
