package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.rbac.Role;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

/** Answers of an API server to the watch of one object, and those of others. */
@Timeout(60)
class FieldRivalsTests {

    private static final String BOTH = "metadata.labels.l (one, other)";

    private final ManualTimeSource time = new ManualTimeSource();
    private final ApiConnection connection = Mockito.mock(ApiConnection.class);
    private final FakeConnection.Body answer = new FakeConnection.Body();

    private String find(ApiStream stream, String name) throws IOException {
        Mockito.when(connection.stream(ArgumentMatchers.any())).thenReturn(stream);
        return new FieldRivals(connection, Scheme.create().kindOf(Role.class), time).find(ObjectKey.of("a", name));
    }

    private String find() throws IOException {
        return find(answer, "role");
    }

    private static String role(String label, String manager) {
        return "{\"metadata\":{\"name\":\"role\",\"labels\":{\"l\":\"" + label
                + "\"},\"managedFields\":[{\"manager\":\"" + manager
                + "\",\"fieldsV1\":{\"f:metadata\":{\"f:labels\":{\"f:l\":{}}}}}]}}";
    }

    private void sendBoth() {
        answer.send(event("ADDED", role("1", "one")))
                .send(event("MODIFIED", role("2", "other")))
                .send(event("MODIFIED", role("1", "one")));
    }

    @Test
    void rivalsOfAFieldAreNamed() throws IOException {
        sendBoth();
        answer.end();
        assertThat(find()).isEqualTo(BOTH);
    }

    @Test
    void requestSelectsTheNameEvenIfItHasSeparators() throws IOException {
        answer.end();
        find(answer, "system:a,b");
        ArgumentCaptor<ApiRequest> sent = ArgumentCaptor.forClass(ApiRequest.class);
        Mockito.verify(connection).stream(sent.capture());
        assertThat(sent.getValue().query().get("fieldSelector")).containsExactly("metadata.name=system:a\\,b");
    }

    @Test
    void whatWasFoundBeforeTheWatchBreaksCounts() throws IOException {
        sendBoth();
        answer.send("{\"type\":\"MODIFIED\",\"object\":{\"meta").cut();
        assertThat(find()).isEqualTo(BOTH);
    }

    @Test
    void objectThatIsCreatedAgainHasNoRivals() throws IOException {
        answer.send(event("ADDED", role("1", "one")))
                .send(event("DELETED", role("1", "one")))
                .send(event("ADDED", role("2", "other")))
                .end();
        assertThat(find()).isEmpty();
    }

    @Test
    void managerWithAnyNameIsShownInOneLine() throws IOException {
        answer.send(event("ADDED", role("1", "one")))
                .send(event("MODIFIED", role("2", "\ud83d\ude80\\nWARN forged")))
                .end();
        assertThat(find()).contains("\ud83d\ude80").doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "3",
                "{}",
                "{\"type\":\"MODIFIED\"}",
                "{\"type\":7,\"object\":null}",
                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}",
                "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"managedFields\":\"none\"}}}",
                "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"managedFields\":[7,null,{\"fieldsV1\":[]}]}}}"
            })
    void answerOfAnotherShapeNamesNothing(String other) throws IOException {
        answer.send(event("ADDED", role("1", "one"))).send(other + "\n" + other).end();
        assertThat(find()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "{\"type\":\"MODIFIED\",\"object\":", "{\"a\":01}"})
    void answerThatIsNoJsonFails(String other) {
        answer.send(other).end();
        assertThatExceptionOfType(IOException.class).isThrownBy(this::find);
    }

    /** A server that sends one byte after the other. */
    private final class Drip extends ApiStream {

        private final byte[] bytes;
        private int at;

        Drip(String text) {
            bytes = text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void idleTimeout(Duration timeout) {
            assertThat(timeout).isPositive();
        }

        @Override
        public int read() {
            time.advance(Duration.ofMillis(10));
            return at < bytes.length ? bytes[at++] : ' ';
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            to[offset] = (byte) read();
            return 1;
        }

        @Override
        public void close() {}
    }

    @Test
    void serverThatDripsForEverEndsAfterSeconds() throws IOException {
        Drip drip = new Drip(event("ADDED", role("1", "one")) + event("MODIFIED", role("2", "other")));
        assertThat(find(drip, "role")).isEqualTo("metadata.labels.l (other)");
        assertThat(Duration.ofNanos(time.nanoTime())).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void serverThatSendsWithoutEndEndsAfterBytes() throws IOException {
        long[] sent = {0};
        ApiStream endless = new ApiStream() {
            @Override
            public void idleTimeout(Duration timeout) {}

            @Override
            public int read() {
                throw new UnsupportedOperationException("read pieces");
            }

            @Override
            public int read(byte[] to, int offset, int length) {
                sent[0] += length;
                Arrays.fill(to, offset, offset + length, (byte) ' ');
                return length;
            }

            @Override
            public void close() {}
        };
        assertThat(find(endless, "role")).isEmpty();
        assertThat(sent[0]).isLessThan(65L << 20);
    }
}
