package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.CutPoint;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultTests {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration LONG = Duration.ofSeconds(30);

    private KubernetesServer server;
    private HttpUser user;

    @BeforeEach
    void startServer() {
        server = KubernetesServer.builder().https(false).start();
        user = new HttpUser(server.url());
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private HttpUser.Reply create(String name) throws IOException {
        return user.post(MAPS, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    private BufferedReader watch(String query) throws IOException {
        return new BufferedReader(
                new InputStreamReader(user.stream(MAPS + "?watch=true" + query), StandardCharsets.UTF_8));
    }

    @Test
    void ruleWhenEveryNthStrikesThoseOnly() throws IOException {
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("create").kind("ConfigMap"), Fault.conflict())
                        .everyNth(3));
        List<Integer> statuses = new ArrayList<>();

        for (int i = 0; i < 6; i++) {
            statuses.add(create("map-" + i).status());
        }

        assertThat(statuses).containsExactly(201, 201, 409, 201, 201, 409);
    }

    @Test
    void ruleWhenSeedIsTheSameStrikesTheSameRequests() throws IOException {
        FaultRule rule =
                FaultRule.of(RequestMatch.verbs("list"), Fault.unavailable()).withProbability(0.5, 42);

        List<Integer> first = statusesUnder(rule);
        List<Integer> second = statusesUnder(rule);

        assertThat(second).isEqualTo(first);
        assertThat(first).contains(200, 503);
    }

    private List<Integer> statusesUnder(FaultRule rule) throws IOException {
        List<Integer> statuses = new ArrayList<>();
        try (ActiveFault fault = server.faults().add(rule)) {
            for (int i = 0; i < 20; i++) {
                statuses.add(user.get(MAPS).status());
            }
            assertThat(fault.matched()).isEqualTo(20);
        }
        return statuses;
    }

    @Test
    void tooManyRequestsWhenAskedTellsWhenToComeBack() throws IOException {
        server.faults()
                .add(FaultRule.of(RequestMatch.any(), Fault.tooManyRequests(Duration.ofSeconds(2)))
                        .once());

        HttpUser.Reply reply = user.get(MAPS);

        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.response().headers().firstValue("Retry-After")).hasValue("2");
        assertThat(user.get(MAPS).status()).isEqualTo(200);
    }

    @Test
    void cutWhenAfterTheRequestLeavesItsEffect() throws IOException {
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("create"), Fault.cut(CutPoint.AFTER))
                        .once());

        assertThatThrownBy(() -> create("one")).isInstanceOf(IOException.class);

        assertThat(user.get(MAPS + "/one").status()).isEqualTo(200);
    }

    @Test
    void cutWhenBeforeTheRequestLeavesNoEffect() throws IOException {
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("create"), Fault.cut(CutPoint.BEFORE))
                        .once());

        assertThatThrownBy(() -> create("one")).isInstanceOf(IOException.class);

        assertThat(user.get(MAPS + "/one").status()).isEqualTo(404);
    }

    @Test
    void cutWhenInsideAListBreaksItsBody() throws IOException {
        create("one");
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("list"), Fault.cut(CutPoint.INSIDE))
                        .once());

        assertThatThrownBy(() -> user.get(MAPS)).isInstanceOf(IOException.class);
        assertThat(user.get(MAPS).status()).isEqualTo(200);
    }

    @Test
    void stallWhenRuleIsRemovedLetsTheRequestGoOn() throws Exception {
        ActiveFault fault = server.faults().add(FaultRule.of(RequestMatch.verbs("list"), Fault.stall()));
        CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> {
            try {
                return user.get(MAPS).status();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        await("the request to stall").atMost(LONG).until(() -> fault.injected() == 1);
        assertThat(status).isNotDone();

        fault.close();

        assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(200);
    }

    @Test
    void duplicateEventsWhenAskedSendsThemTwice() throws IOException {
        server.faults().add(FaultRule.of(RequestMatch.watches().name("one"), Fault.duplicateEvents()));
        try (BufferedReader events = watch("")) {
            create("one");
            create("two");

            assertThat(events.readLine()).contains("ADDED").contains("\"name\":\"one\"");
            assertThat(events.readLine()).contains("ADDED").contains("\"name\":\"one\"");
            assertThat(events.readLine()).contains("ADDED").contains("\"name\":\"two\"");
        }
    }

    @Test
    void delayEventsWhenAskedKeepsTheirOrder() throws IOException {
        server.faults()
                .add(FaultRule.of(RequestMatch.watches().name("one"), Fault.delayEvents(Duration.ofMillis(300))));
        try (BufferedReader events = watch("")) {
            long start = System.nanoTime();
            create("one");
            create("two");

            assertThat(events.readLine()).contains("\"name\":\"one\"");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            assertThat(events.readLine()).contains("\"name\":\"two\"");
        }
    }

    @Test
    void endWatchWhenExpiredSaysSoInTheStream() throws IOException {
        server.faults().add(FaultRule.of(RequestMatch.watches(), Fault.endWatch(WatchEnd.EXPIRED)));
        try (BufferedReader events = watch("")) {
            create("one");

            assertThat(events.readLine()).contains("ERROR").contains("\"code\":410");
            assertThat(events.readLine()).isNull();
        }
    }

    @Test
    void endWatchWhenInsideAnEventBreaksTheLine() throws IOException {
        server.faults().add(FaultRule.of(RequestMatch.watches(), Fault.endWatch(WatchEnd.INSIDE_EVENT)));
        try (BufferedReader events = watch("")) {
            create("one");

            assertThatThrownBy(events::readLine).isInstanceOf(IOException.class);
        }
    }

    @Test
    void endWatchesWhenCalledEndsTheOpenOnes() throws IOException {
        try (BufferedReader events = watch("")) {
            await("the watch").atMost(LONG).until(() -> server.watches(RequestMatch.any()) == 1);

            assertThat(server.endWatches(RequestMatch.watches().kind("configmaps"), WatchEnd.ORDERLY))
                    .isEqualTo(1);

            assertThat(events.readLine()).isNull();
            await("no watch").atMost(LONG).until(() -> server.watches(RequestMatch.any()) == 0);
        }
    }

    @Test
    void compactHistoryWhenWatchingFromBeforeAnswersGone() throws IOException {
        create("one");
        long before = server.resourceVersion();
        create("two");
        create("three");

        server.compactHistory();

        try (BufferedReader events = watch("&resourceVersion=" + before)) {
            assertThat(events.readLine()).contains("ERROR").contains("too old resource version: " + before);
        }
    }

    @Test
    void cutConnectionsWhenCalledBreaksWatches() throws IOException {
        try (BufferedReader events = watch("")) {
            await("the watch").atMost(LONG).until(() -> server.watches(RequestMatch.any()) == 1);

            server.cutConnections();

            assertThatThrownBy(events::readLine).isInstanceOf(IOException.class);
        }
        create("one");
        assertThat(user.get(MAPS + "/one").status()).isEqualTo(200);
    }

    @Test
    void restartWhenKeepingDataServesItOnTheSamePort() throws IOException {
        create("one");

        server.restart();

        assertThat(user.get(MAPS + "/one").status()).isEqualTo(200);
    }

    @Test
    void restartEmptyWhenCalledForgetsObjectsAndVersion() throws IOException {
        create("one");
        create("two");
        long before = server.resourceVersion();

        server.restartEmpty();

        assertThat(user.get(MAPS + "/one").status()).isEqualTo(404);
        assertThat(server.resourceVersion()).isLessThan(before);
    }

    @Test
    void corruptWhenCalledChangesTheStoredObject() throws IOException {
        create("one");

        server.corrupt("", "configmaps", "default", "one", "/data", "[1,2]");

        assertThat(user.get(MAPS + "/one").body().at("/data/1").asInt()).isEqualTo(2);
    }

    @Test
    void revokeTokenWhenCalledAnswersUnauthorized() throws IOException {
        String token = server.addUser("bob");
        assertThat(user.send("GET", MAPS, null, "Authorization", "Bearer " + token)
                        .status())
                .isEqualTo(200);

        server.revokeToken(token);

        assertThat(user.send("GET", MAPS, null, "Authorization", "Bearer " + token)
                        .status())
                .isEqualTo(401);
    }

    @Test
    void requestsWhenAnsweredAreLogged() throws IOException {
        create("one");
        user.get(MAPS);
        user.get(MAPS + "/none");

        assertThat(server.requests().writes()).hasToString("[create configmaps default/one -> 201]");
        assertThat(server.requests().counts())
                .containsEntry("create configmaps", 1L)
                .containsEntry("get configmaps", 1L);
        assertThat(server.requests().count(RequestMatch.any().kind("ConfigMap")))
                .isEqualTo(3);
        assertThat(server.requests().counts(RequestMatch.any().user("admin")))
                .containsExactly(
                        Map.entry("create ConfigMap", 1L),
                        Map.entry("get ConfigMap", 1L),
                        Map.entry("list ConfigMap", 1L));
        assertThat(server.requests().writes(RequestMatch.any().name("one"))).hasSize(1);
        assertThat(server.requests().writes(RequestMatch.any().name("two"))).isEmpty();
    }
}
