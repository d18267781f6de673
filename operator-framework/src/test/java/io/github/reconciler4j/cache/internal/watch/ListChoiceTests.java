package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.cache.internal.watch.ListChoice.Way;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ListChoiceTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private volatile byte[] answer = {};
    private final ScriptedServer server = ScriptedServer.start((request, out) -> out.write(answer));
    private final ApiConnection connection = ApiConnection.open(server.config());
    private final ListChoice streaming = choice(ListMode.STREAMED, 99);

    /** The choice with an API server of a minor version. */
    private ListChoice choice(ListMode mode, int minor) {
        answer = ScriptedServer.json(200, "{\"major\": \"1\", \"minor\": \"" + minor + "\"}");
        return new ListChoice(mode, Discovery.of(connection), time);
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private void pass(long seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    @Test
    void isStreamedWhenItFailedIsFalseForAMinuteThenTwo() {
        assertThat(streaming.isStreamed()).isTrue();
        streaming.streamFailed();
        assertThat(streaming.isStreamed()).isFalse();
        pass(59);
        assertThat(streaming.isStreamed()).isFalse();
        pass(1);
        assertThat(streaming.isStreamed()).isTrue();

        streaming.streamFailed();
        pass(119);
        assertThat(streaming.isStreamed()).isFalse();
        pass(1);
        assertThat(streaming.isStreamed()).isTrue();
    }

    @Test
    void isStreamedWhenItFailsForeverIsTrueOnceAnHour() {
        for (int i = 0; i < 100; i++) {
            streaming.streamFailed();
        }
        pass(3599);
        assertThat(streaming.isStreamed()).isFalse();
        pass(1);
        assertThat(streaming.isStreamed()).isTrue();
    }

    @Test
    void isStreamedWhenItWorkedInBetweenIsFalseForOneMinuteOnly() {
        streaming.streamFailed();
        streaming.streamFailed();
        streaming.streamed();
        assertThat(streaming.isStreamed()).isTrue();
        streaming.streamFailed();
        pass(60);
        assertThat(streaming.isStreamed()).isTrue();
    }

    @Test
    void automaticIsOneNewestListWhereTheApiServerAnswersItFromItsCache() {
        for (int minor = 19; minor < 50; minor++) {
            ListChoice choice = choice(ListMode.AUTOMATIC, minor);
            assertThat(choice.isStreamed()).as("1." + minor).isEqualTo(minor < 34);
            assertThat(choice.way()).as("1." + minor).isEqualTo(minor < 34 ? Way.CACHED : Way.NEWEST);
            assertThat(server.requests()).as("1." + minor).hasSize(minor - 18);
        }
    }

    @Test
    void automaticBeforePagesFromACacheIsOneCachedListWhereStreamsFail() {
        ListChoice choice = choice(ListMode.AUTOMATIC, 33);
        choice.streamFailed();
        assertThat(choice.isStreamed()).isFalse();
        assertThat(choice.way()).isEqualTo(Way.CACHED);
    }

    @Test
    void automaticWhereANewestListBreaksStreamsAndReadsPagesWhereThatFailsToo() {
        ListChoice choice = choice(ListMode.AUTOMATIC, 37);
        choice.listFailed(Way.NEWEST);
        assertThat(choice.isStreamed()).isTrue();
        choice.streamFailed();
        assertThat(choice.isStreamed()).isFalse();
        assertThat(choice.way()).isEqualTo(Way.PAGED);

        pass(60);
        assertThat(choice.isStreamed()).isFalse();
        assertThat(choice.way()).isEqualTo(Way.NEWEST);
    }

    @Test
    void automaticWhereNewestListsBreakAgainAndAgainTriesOneOnceAnHour() {
        ListChoice choice = choice(ListMode.AUTOMATIC, 37);
        for (int i = 0; i < 100; i++) {
            choice.listFailed(Way.NEWEST);
        }
        pass(3599);
        assertThat(choice.isStreamed()).isTrue();
        pass(1);
        assertThat(choice.isStreamed()).isFalse();
        choice.listed(Way.NEWEST);
        choice.listFailed(Way.NEWEST);
        pass(60);
        assertThat(choice.way()).isEqualTo(Way.NEWEST);
    }

    @Test
    void automaticIsNotChangedByListsOfOtherWays() {
        ListChoice choice = choice(ListMode.AUTOMATIC, 37);
        choice.listFailed(Way.PAGED);
        choice.listFailed(Way.CACHED);
        assertThat(choice.isStreamed()).isFalse();
        assertThat(choice.way()).isEqualTo(Way.NEWEST);
        choice.listFailed(Way.NEWEST);
        choice.listed(Way.PAGED);
        assertThat(choice.way()).isEqualTo(Way.PAGED);
    }

    @Test
    void otherChoicesDoNotAskTheServer() {
        for (ListMode mode : List.of(ListMode.STREAMED, ListMode.PAGED, ListMode.WHOLE)) {
            ListChoice choice = choice(mode, 37);
            assertThat(choice.isStreamed()).as(mode.name()).isEqualTo(mode == ListMode.STREAMED);
            assertThat(choice.way()).as(mode.name()).isEqualTo(mode == ListMode.PAGED ? Way.PAGED : Way.CACHED);
        }
        assertThat(server.requests()).isEmpty();
    }
}
