package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.objectset.LateReader.Place;
import io.github.reconciler4j.objectset.RandomHistory.Counts;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The histories of {@link ObjectSetRandomTests} on a real API server, which is asked for an object after each write to it. More:
 * {@code -Dobjectset.real.cases=200}.
 */
@RealKubernetesTest
class ObjectSetRandomIntegrationTests implements RandomHistory.Ground {

    private static final int CASES = Integer.getInteger("objectset.real.cases", 10);

    private final Map<Place, String> truth = new TreeMap<>();
    private final Counts counts = Counts.none();
    private final ApiConnection connection;
    private final Client reader;

    ObjectSetRandomIntegrationTests(RealKubernetes kubernetes) {
        connection = ApiConnection.open(kubernetes.config());
        reader = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @AfterEach
    void close() {
        connection.close();
    }

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
        return client.intercepted((call, next) -> {
            if (!call.verb().isWrite()
                    || !RandomGraph.KINDS.contains(call.kind().kind().kind())) {
                return next.proceed(call);
            }
            try {
                return next.proceed(call);
            } finally {
                Place place = new Place(call.kind().kind().kind(), call.key().orElseThrow());
                look(place, history);
            }
        });
    }

    private void look(Place place, RandomHistory history) {
        String after = reader.live()
                .get(RandomGraph.kind(place.kind()), place.key())
                .map(KubernetesJson.mapper()::valueToTree)
                .map(Object::toString)
                .orElse(null);
        String before = after == null ? truth.remove(place) : truth.put(place, after);
        if (after == null ? before != null : !after.equals(before)) {
            history.changed(place, before, after);
        }
    }

    @Test
    void setsWhenAnythingGoesWrongTouchNothingForeignAndLeaveNothing() {
        RandomHistory.runAll(CASES, this);

        assertThat(counts.writes().get()).isGreaterThan(CASES);
    }
}
