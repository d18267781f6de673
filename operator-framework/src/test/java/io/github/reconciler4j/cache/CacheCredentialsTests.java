package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Credentials that expire are renewed, and watches resume. */
class CacheCredentialsTests {

    private static final int OBJECTS = 7;
    private static final RequestMatch LISTS = RequestMatch.verbs("list").kind("configmaps");
    private static final RequestMatch WATCHES = RequestMatch.watches().kind("configmaps");

    private final ServedCache served = new ServedCache();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile String token = "";
    private String next = "";
    private ApiConnection connection;
    private Cache cache;

    @AfterEach
    void close() {
        cache.close();
        connection.close();
        served.close();
    }

    private void start() {
        for (int i = 0; i < OBJECTS; i++) {
            served.configMap("default", "c" + i);
        }
        Config config = served.server.clientConfig();
        token = config.getOauthToken();
        config.setOauthTokenProvider(this::token);
        connection = ApiConnection.open(config);
        WatchOptions watch = WatchOptions.defaults()
                .withListMode(WatchOptions.ListMode.WHOLE)
                .withPageSize(2);
        cache = Cache.create(
                connection,
                Scheme.create(),
                CacheOptions.defaults().withSyncTimeout(LONG).withWatch(watch));
        cache.start();
    }

    private synchronized String token() {
        String now = token;
        asked.add(now);
        token = next.isEmpty() ? token : next;
        return now;
    }

    /** Return the present token one more time, then this one. */
    private synchronized void nextTokenIsLate(String later) {
        next = later;
    }

    private int size() {
        return cache.list(Kind.of(ConfigMap.class), Selection.inNamespace("default"))
                .size();
    }

    private List<Integer> answers(RequestMatch match) {
        return served.server.requests().matching(match).stream()
                .map(LoggedRequest::status)
                .toList();
    }

    @Test
    void listWhenRefusedBetweenTwoPagesContinuesWithTheNextPage() {
        served.fault(FaultRule.of(LISTS, Fault.gone()).once()); // so that pages are asked for
        served.fault(FaultRule.of(LISTS, Fault.unauthorized()).after(1).once());
        start();

        assertThat(size()).isEqualTo(OBJECTS);
        assertThat(answers(LISTS)).containsExactly(410, 200, 401, 200, 200, 200);
    }

    @Test
    void watchWhenItsTokenIsRefusedResumesWithTheNext() {
        String first = served.server.addUser("first", "system:masters");
        start();
        assertThat(size()).isEqualTo(OBJECTS);
        until("the first watch", () -> served.watches() == 1);
        token = first;
        served.server.endWatches(WATCHES, Fault.WatchEnd.CONNECTION_RESET);
        until("a watch by the first token", () -> asked.contains(first) && served.watches() == 1);
        served.server.revokeToken(first);
        nextTokenIsLate(served.server.addUser("next", "system:masters"));

        until("a refused watch", () -> {
            served.server.endWatches(WATCHES, Fault.WatchEnd.CONNECTION_RESET);
            return answers(WATCHES).contains(401);
        });
        served.configMap("default", "new");
        until("object", () -> size() == OBJECTS + 1);

        assertThat(answers(WATCHES)).containsOnlyOnce(401);
        assertThat(answers(LISTS)).containsExactly(200);
    }
}
