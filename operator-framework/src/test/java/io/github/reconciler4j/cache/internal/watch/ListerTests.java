package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

class ListerTests {

    private static final KindInfo MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);

    private final ManualTimeSource time = new ManualTimeSource();
    private final Scope scope = new Scope(MAPS, "", ObjectSelector.everything(), List.of());
    private final SyncState state = new SyncState(time);
    private final FakeConnection server = new FakeConnection();
    private final List<Duration> idleTimeouts = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private int fullPages;
    private final StringInterner strings = new StringInterner();
    private final EntryReader reader = new EntryReader.Factory(
                    MAPS, KindCacheOptions.defaults(), strings, new CompactEncoder(new DeflaterPool()))
            .create(true);
    private final ListSnapshot list = new ListSnapshot(new ObjectStore(), scope, PartFilter.ALL, true, true);

    @BeforeEach
    void plan() {
        state.planned(List.of(scope));
    }

    private Lister.Progress progress() {
        return new Lister.Progress(scope, list, state, server, time);
    }

    private @Nullable ListChoice choice;

    private String list(String bound) throws IOException {
        return list(bound, bound.isEmpty() ? ListMode.PAGED : ListMode.WHOLE, 20);
    }

    private String list(String bound, ListMode mode, int minor) throws IOException {
        Discovery version = Mockito.mock(Discovery.class);
        Mockito.when(version.isKubernetesAtLeast(34)).thenReturn(minor >= 34);
        choice = new ListChoice(mode, version, time);
        Lister lister = new Lister(
                scope,
                request -> new TimedStream(server.stream(request), idleTimeouts),
                WatchOptions.defaults().withPageSize(2),
                strings,
                new ExpectedKind(MAPS, Discovery.of(server)),
                new Lister.Waits(pauses::add, () -> fullPages++));
        return lister.list(choice, bound, new Lister.Target(list, reader, progress()));
    }

    /** Records the time limits that a stream is given. */
    private static final class TimedStream extends ApiStream {
        private final ApiStream stream;
        private final List<Duration> timeouts;

        TimedStream(ApiStream stream, List<Duration> timeouts) {
            this.stream = stream;
            this.timeouts = timeouts;
        }

        @Override
        public void idleTimeout(Duration timeout) {
            timeouts.add(timeout);
        }

        @Override
        public int read() throws IOException {
            return stream.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return stream.read(to, offset, length);
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    private static ApiException refused(int code) {
        return new ApiException("refused", ErrorDetails.of(code, ""));
    }

    @Test
    void isStreamingRefusedWhenTheServerDoesNotKnowTheParametersIsTrue() {
        assertThat(IntStream.of(0, 400, 401, 403, 404, 410, 422, 429, 500, 503, 504)
                        .filter(code -> Lister.isStreamingRefused(refused(code))))
                .containsExactly(400, 422);
    }

    @Test
    void isTooNewWhenTheServerIsBehindIsTrue() {
        assertThat(IntStream.of(0, 400, 403, 410, 422, 500, 503, 504).filter(code -> Lister.isTooNew(refused(code))))
                .containsExactly(504);
    }

    @Test
    void isBrokenWhenASmallerResponseCouldHaveArrivedIsTrue() {
        assertThat(IntStream.of(0, 400, 401, 403, 404, 410, 422, 429, 500, 503, 504)
                        .filter(code -> Lister.isBroken(refused(code))))
                .containsExactly(504);
        assertThat(Lister.isBroken(new IOException("cut"))).isTrue();
        assertThat(Stream.of(Problem.values())
                        .filter(problem -> Lister.isBroken(new ConnectionException("none", problem, null))))
                .containsExactly(Problem.TIMEOUT, Problem.CONNECTION_RESET);
    }

    @Test
    void listWhenTheNewestStateBreaksOffIsReadInAnotherWayNextTime() {
        server.open().send("{\"kind\": \"ConfigMapList\", \"items\": [").cut();
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> list("", ListMode.AUTOMATIC, 34));
        assertThat(choice.isStreamed()).isTrue();
    }

    @Test
    void listWhenTheNewestStateIsReadAtOnceSendsOneRequestWithoutVersionAndLimit() throws IOException {
        server.whole(Json.list(10, ""));
        assertThat(list("", ListMode.AUTOMATIC, 34)).isEqualTo("10");
        assertThat(server.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.query()).doesNotContainKeys("limit", "resourceVersion"));
    }

    @Test
    void listWhenTheVersionCannotBeServedReadsPages() throws IOException {
        for (int code : new int[] {400, 410, 504}) {
            server.requests.clear();
            server.refuse(code, "Refused").whole(Json.list(10, ""));
            assertThat(list("7")).isEqualTo("10");
            assertThat(server.requests.get(0).query()).doesNotContainKey("limit");
            assertThat(server.requests.get(1).query()).containsKey("limit").doesNotContainKey("resourceVersion");
        }
    }

    @Test
    void listWhenItIsRefusedForAnotherReasonFails() {
        for (int code : new int[] {403, 404, 429, 500}) {
            server.requests.clear();
            server.refuse(code, "Refused").whole(Json.list(10, ""));
            assertThatThrownBy(() -> list("7")).hasMessage("refused: Refused");
            assertThat(server.requests).hasSize(1);
            server.stream(server.requests.get(0)); // takes the response that was not asked for
        }
    }

    @Test
    void listWhenItMustBeTheNewestReadsPagesUntilOneFails() throws IOException {
        server.whole(Json.list(10, "token")).whole(Json.list(10, ""));
        assertThat(list("")).isEqualTo("10");
        assertThat(idleTimeouts).containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(60));
        server.whole(Json.list(10, "token")).refuse(500, "InternalError").whole(Json.list(11, ""));
        assertThatThrownBy(() -> list("")).hasMessage("refused: InternalError");
    }

    @Test
    void pagesWhenALaterOneHasAnotherVersionStartTheWatchAtTheFirst() throws IOException {
        server.whole(Json.list(10, "one", map("a")))
                .whole(Json.list(12, "two", map("b")))
                .whole(Json.list(14, "", map("c")));
        assertThat(list("")).isEqualTo("10");
        assertThat(list.size()).isEqualTo(3);
        assertThat(requestedPages()).containsExactly("", "one", "two");
        assertThat(server.requests)
                .allSatisfy(request -> assertThat(request.query())
                        .containsEntry("limit", List.of("2"))
                        .doesNotContainKey("resourceVersion"));
    }

    @Test
    void pagesWhenOneHasExpiredAreReplacedByTheWholeList() throws IOException {
        server.whole(Json.list(10, "one", map("a"), map("gone")))
                .refuse(410, "Expired")
                .whole(Json.list(20, "", map("a"), map("b"), map("c")));
        assertThat(list("")).isEqualTo("20");
        assertThat(list.size()).isEqualTo(3);
        assertThat(server.requests.get(2).query()).doesNotContainKeys("limit", "continue", "resourceVersion");
    }

    @Test
    void pagesWhenTheWholeListExpiresTooFail() {
        server.whole(Json.list(10, "one")).refuse(410, "Expired").refuse(410, "Expired");
        assertThatThrownBy(() -> list("")).hasMessage("refused: Expired");
        assertThat(server.requests).hasSize(3);
    }

    private List<String> requestedPages() {
        return server.requests.stream()
                .map(request -> String.join("", request.query().getOrDefault("continue", List.of())))
                .toList();
    }

    @Test
    void pagesWhenALaterOneIsRefusedForLackOfCapacityRequestItAlone() throws IOException {
        server.whole(Json.list(10, "one", map("a")))
                .refuse(429, "TooManyRequests", Duration.ofSeconds(10))
                .refuse(503, "ServiceUnavailable", Duration.ofSeconds(9))
                .refuse(429, "TooManyRequests")
                .whole(Json.list(10, "two", map("b")))
                .refuse(503, "ServiceUnavailable", Duration.ofSeconds(8))
                .whole(Json.list(10, "", map("c")));

        assertThat(list("")).isEqualTo("10");

        assertThat(list.size()).isEqualTo(3);
        assertThat(requestedPages()).containsExactly("", "one", "one", "one", "one", "two", "two");
        assertThat(pauses).hasSize(4).contains(Duration.ofSeconds(10), Duration.ofSeconds(9), Duration.ofSeconds(8));
        assertThat(pauses.get(2)).as("that of the backoff").isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void pagesWhenALaterOneIsRefusedTooOftenFail() {
        server.whole(Json.list(10, "one", map("a")));
        for (int i = 0; i < 4; i++) {
            server.refuse(429, "TooManyRequests", Duration.ofSeconds(1));
        }
        assertThatThrownBy(() -> list("")).hasMessage("refused: TooManyRequests");
        assertThat(requestedPages()).containsExactly("", "one", "one", "one", "one");
        assertThat(pauses).hasSize(3);
    }

    @Test
    void pagesWhenOneIsRefusedForLongOrForAnotherReasonOrAtTheStartFail() {
        server.whole(Json.list(10, "one")).refuse(429, "TooManyRequests", Duration.ofMillis(10_001));
        assertThatThrownBy(() -> list("")).hasMessage("refused: TooManyRequests");
        server.whole(Json.list(10, "one")).refuse(504, "Timeout");
        assertThatThrownBy(() -> list("")).hasMessage("refused: Timeout");
        server.refuse(429, "TooManyRequests");
        assertThatThrownBy(() -> list("")).hasMessage("refused: TooManyRequests");
        assertThat(pauses).isEmpty();
    }

    @Test
    void pagesWhenOneHasExpiredAfterItWasRefusedAreReplacedByTheWholeList() throws IOException {
        server.whole(Json.list(10, "one", map("a"), map("gone")))
                .refuse(429, "TooManyRequests")
                .refuse(410, "Expired")
                .whole(Json.list(20, "", map("a")));
        assertThat(list("")).isEqualTo("20");
        assertThat(list.size()).isEqualTo(1);
    }

    @Test
    void pagesWhenAHundredInARowHaveNoFurtherObjectsFail() throws IOException {
        server.whole(Json.list(10, "t0", map("a")));
        for (int i = 0; i < 99; i++) {
            server.whole(i % 2 == 0 ? Json.list(10, "t" + (i + 1)) : Json.list(10, "t" + (i + 1), map("a")));
        }
        server.whole(Json.list(10, "", map("b")));
        assertThat(list("")).isEqualTo("10");
        assertThat(list.size()).isEqualTo(2);

        server.requests.clear();
        for (int i = 0; i <= 100; i++) {
            server.whole(Json.list(10, "t" + i, map("a")));
        }
        assertThatThrownBy(() -> list(""))
                .hasMessageContaining(
                        "the list of configmaps does not advance: its last 100 pages had no further objects");
        assertThat(server.requests).hasSize(101);
    }

    @Test
    void pagesWhenATokenComesAgainFail() {
        server.whole(Json.list(10, "one", map("a"))).whole(Json.list(10, "one", map("b")));
        assertThatThrownBy(() -> list("")).hasMessageContaining("the list of configmaps does not advance");
        assertThat(server.requests).hasSize(2);
        server.whole(Json.list(10, "one")).whole(Json.list(10, "two")).whole(Json.list(10, "one"));
        assertThatThrownBy(() -> list("")).hasMessageContaining("the list of configmaps does not advance");
        assertThat(server.requests).hasSize(5);
    }

    @Test
    void pagesWhenALaterOneIsNoPageOfTheListFail() {
        for (String page : List.of(
                "", "{}", Json.list(10, "").substring(0, 40), Json.list(10, "").replace("ConfigMapList", "PodList"))) {
            server.whole(Json.list(10, "one", map("a"))).whole(page);
            assertThatThrownBy(() -> list("")).as(page).isInstanceOf(IOException.class);
        }
    }

    private static String map(String name) {
        return Json.configMap("default", name, 1, 5, "v");
    }

    @Test
    void progressWhenAListStartsAndEndsCountsNoObjects() {
        state.listing(scope, 256, 1000);
        Lister.Progress progress = progress();
        assertThat(state.listing()).as("what an earlier list has read").isZero();
        assertThat(state.remaining()).isEmpty();
        state.listing(scope, 256, 1000);
        progress.done("5");
        assertThat(state.listing()).isZero();
    }

    @Test
    void remainingWhenTheServerDoesNotSayItIsUnknown() throws IOException {
        Lister.Progress progress = progress();
        ListFixture.fill(list, reader, List.of(Json.configMap("a", "x", 1, 5, "v")));
        progress.remaining(0);
        assertThat(state.remaining()).isEmpty();
        progress.remaining(7);
        assertThat(state.remaining()).hasValue(7);
    }

    @Test
    void doneWhenTheListHasTakenTenSecondsIsLogged() {
        time.advance(Duration.ofHours(1));
        try (CapturedLog log = CapturedLog.of(Lister.class.getPackageName())) {
            progress().done("5");
            Lister.Progress almost = progress();
            time.advance(Duration.ofMillis(9_999));
            almost.done("6");
            assertThat(log.lines(Level.INFO)).isEmpty();
            Lister.Progress slow = progress();
            time.advance(Duration.ofSeconds(10));
            slow.done("7");
            assertThat(log.lines(Level.INFO)).containsExactly("INFO Listed configmaps: 0 objects in 10 s");
        }
    }
}
