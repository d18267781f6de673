package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that end at any byte of an answer: each outcome is a documented one, at once. */
@Timeout(300)
class ClientFaultTests {

    private static final String STORED = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
            + "\"name\":\"foo\",\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"uid\":\"u1\"}}";
    private static final byte[] OBJECT = ScriptedServer.json(200, STORED);
    private static final byte[] CHUNKED = chunked(STORED);
    private static final byte[] LIST = ScriptedServer.json(
            200,
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":["
                    + STORED + "," + STORED + "]}");
    private static final ObjectKey FOO = ObjectKey.of("shop", "foo");

    private final AtomicInteger cut = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger notified = new AtomicInteger();
    private volatile byte[] answer = OBJECT;
    private volatile boolean cutOnce;

    private final ScriptedServer server = ScriptedServer.start((request, out) -> {
        if (answers.getAndIncrement() > 0 && cutOnce) {
            out.write(answer);
            return;
        }
        out.write(Arrays.copyOf(answer, cut.get()));
        out.flush();
        throw new IOException("cut");
    });
    private final ApiConnection connection;
    private final Client client;

    ClientFaultTests() {
        this.connection = ApiConnection.open(server.config(), ConnectionOptions.defaults());
        this.client = ClientWiring.of(connection, Scheme.create())
                .withWriteListener(new WriteListener() {
                    @Override
                    public void written(KindInfo kind, byte[] json) {
                        notified.incrementAndGet();
                    }

                    @Override
                    public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
                        notified.incrementAndGet();
                    }
                })
                .create(ClientOptions.defaults().withTimeout(Duration.ofSeconds(20)));
    }

    private static byte[] chunked(String body) {
        StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < body.length(); i += 50) {
            String piece = body.substring(i, Math.min(body.length(), i + 50));
            text.append(Integer.toHexString(piece.length()))
                    .append("\r\n")
                    .append(piece)
                    .append("\r\n");
        }
        return text.append("0\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The writes that are never sent twice. */
    enum Once {
        CREATE(client -> client.create(configMap())),
        UPDATE(client -> client.update(configMap())),
        PATCH(client -> client.patch(
                Kind.of(ConfigMap.class), FOO, ObjectPatch.merge(java.util.Map.of("a", "b")), WriteOptions.defaults())),
        STATUS(client -> client.status().update(configMap())),
        DELETE(client -> client.delete(configMap())),
        DELETE_ALL(client ->
                client.deleteAll(Kind.of(ConfigMap.class), Selection.inNamespace("shop"), DeletionOptions.defaults()));

        private final Consumer<Client> call;

        Once(Consumer<Client> call) {
            this.call = call;
        }
    }

    private static ConfigMap configMap() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .endMetadata()
                .build();
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Once.class)
    void writeWhenCutAtAnyByteFailsAfterOneRequestAndNotifiesNoListener(Once write) {
        for (byte[] whole : List.of(OBJECT, CHUNKED)) {
            answer = whole;
            for (int position = 0; position < whole.length; position++) {
                cut.set(position);
                answers.set(0);
                Throwable failure = catchThrowable(() -> write.call.accept(client));
                assertThat(failure).as("cut at byte %s", position).isInstanceOf(ConnectionException.class);
                assertThat(answers.get())
                        .as("requests when cut at byte %s", position)
                        .isEqualTo(1);
            }
        }
        assertThat(notified.get()).isZero();
    }

    @Test
    void readAndApplyWhenCutAreRetriedAndSucceed() {
        cutOnce = true;
        for (byte[] whole : List.of(OBJECT, CHUNKED)) {
            answer = whole;
            for (int position = 0; position < whole.length; position += 7) {
                cut.set(position);
                answers.set(0);
                assertThat(client.live()
                                .get(ConfigMap.class, FOO)
                                .orElseThrow()
                                .getMetadata()
                                .getUid())
                        .isEqualTo("u1");
                answers.set(0);
                assertThat(client.applyUnconditionally(configMap(), ApplyOptions.defaults())
                                .getMetadata()
                                .getUid())
                        .isEqualTo("u1");
                assertThat(notified.getAndSet(0))
                        .as("notified when cut at byte %s", position)
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void listWhenCutIsRetriedAndComplete() {
        answer = LIST;
        cutOnce = true;
        for (int position = 0; position < LIST.length; position += 11) {
            cut.set(position);
            answers.set(0);
            assertThat(client.live().list(Kind.of(ConfigMap.class), Selection.all()))
                    .as("cut at byte %s", position)
                    .hasSize(2);
        }
    }

    @Test
    void readWhenCutEveryTimeFailsAfterFourAttempts() {
        cut.set(40);
        Throwable failure = catchThrowable(() -> client.live().get(ConfigMap.class, FOO));
        assertThat(failure).isInstanceOf(ConnectionException.class);
        assertThat(((ConnectionException) failure).problem()).isEqualTo(ConnectionException.Problem.CONNECTION_RESET);
        assertThat(answers.get()).isEqualTo(4);
    }
}
