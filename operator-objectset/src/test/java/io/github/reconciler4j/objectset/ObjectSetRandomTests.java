package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.objectset.LateReader.Place;
import io.github.reconciler4j.objectset.RandomHistory.Counts;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.ServerChange;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random sets against the API server in this JVM. Nothing of others is touched, nothing is touched before its turn, and in the end
 * there is what the set wants and nothing else. More cases: {@code -Dobjectset.cases=10000};
 * {@code -Dobjectset.seed=7 -Dobjectset.cases=1} repeats one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectSetRandomTests {

    private static final int CASES = Integer.getInteger("objectset.cases", 300);

    private final Map<Place, String> truth = new ConcurrentSkipListMap<>();
    private final Counts counts = Counts.none();
    private KubernetesServer server;
    private ApiConnection connection;
    private volatile RandomHistory current;

    @BeforeAll
    void start() {
        server = KubernetesServer.builder()
                .https(false)
                .garbageCollection(false)
                .requestLogSize(1)
                .historySize(10)
                .start();
        connection = ApiConnection.open(server.clientConfig());
        observe("", "secrets", "Secret");
        observe("", "serviceaccounts", "ServiceAccount");
        observe("", "configmaps", "ConfigMap");
        observe("rbac.authorization.k8s.io", "clusterroles", "ClusterRole");
    }

    @AfterAll
    void stop() {
        connection.close();
        server.close();
    }

    private void observe(String group, String plural, String kind) {
        server.onChange(group, plural, change -> {
            Place place = new Place(kind, new ObjectKey(change.namespace(), change.name()));
            boolean gone = change.type() == ServerChange.Type.REMOVED;
            String before = gone ? truth.remove(place) : truth.put(place, change.json());
            RandomHistory history = current;
            if (history != null) {
                history.changed(place, before, gone ? null : change.json());
            }
        });
    }

    /** The server says what it wrote. */
    private final class ServerInThisJvm implements RandomHistory.Ground {

        @Override
        public ApiConnection connection() {
            return connection;
        }

        @Override
        public Map<Place, String> truth() {
            return truth;
        }

        @Override
        public Counts counts() {
            return counts;
        }

        @Override
        public Client watched(Client client, RandomHistory history) {
            current = history;
            return client;
        }
    }

    @Test
    void setsWhenAnythingGoesWrongTouchNothingForeignAndLeaveNothing() {
        RandomHistory.runAll(CASES, new ServerInThisJvm());

        if (CASES >= 100) {
            assertThat(counts.crashes().get()).isGreaterThan(CASES);
            assertThat(counts.lateStarts().get()).isGreaterThan(CASES / 2);
            assertThat(counts.refusals().get()).isGreaterThan(CASES / 10);
        }
    }
}
