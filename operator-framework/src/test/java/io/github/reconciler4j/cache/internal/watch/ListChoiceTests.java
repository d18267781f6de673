package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.WatchOptions.ListMode;
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
    void isDueWhenItFailedIsFalseForAMinuteThenTwo() {
        assertThat(streaming.isDue()).isTrue();
        streaming.failed();
        assertThat(streaming.isDue()).isFalse();
        pass(59);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();

        streaming.failed();
        pass(119);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItFailsForeverIsTrueOnceAnHour() {
        for (int i = 0; i < 100; i++) {
            streaming.failed();
        }
        pass(3599);
        assertThat(streaming.isDue()).isFalse();
        pass(1);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void isDueWhenItWorkedInBetweenIsFalseForOneMinuteOnly() {
        streaming.failed();
        streaming.failed();
        streaming.worked();
        assertThat(streaming.isDue()).isTrue();
        streaming.failed();
        pass(60);
        assertThat(streaming.isDue()).isTrue();
    }

    @Test
    void automaticIsStreamedWithoutARequestAndPagedWhereThatFailsIfPagesComeFromACache() {
        for (int minor = 19; minor < 50; minor++) {
            ListChoice choice = choice(ListMode.AUTOMATIC, minor);
            assertThat(choice.isDue()).as("1." + minor).isTrue();
            assertThat(server.requests()).hasSize(minor - 19);
            choice.failed();
            assertThat(choice.isDue()).as("1." + minor).isFalse();
            assertThat(choice.isPaged()).as("1." + minor).isEqualTo(minor >= 34);
        }
    }

    @Test
    void otherChoicesDoNotAskTheServer() {
        assertThat(List.of(
                        choice(ListMode.STREAMED, 37).isPaged(),
                        choice(ListMode.STREAMED, 37).isDue()))
                .containsExactly(false, true);
        assertThat(List.of(
                        choice(ListMode.PAGED, 20).isPaged(),
                        choice(ListMode.PAGED, 20).isDue()))
                .containsExactly(true, false);
        assertThat(List.of(
                        choice(ListMode.WHOLE, 37).isPaged(),
                        choice(ListMode.WHOLE, 37).isDue()))
                .containsExactly(false, false);
        assertThat(server.requests()).isEmpty();
    }
}
