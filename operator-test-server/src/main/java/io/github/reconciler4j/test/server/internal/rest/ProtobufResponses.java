package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.ProtobufEncoder;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.exchange.StreamSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Translates responses for clients that accept protobuf alone. Stateless; safe for use by multiple threads. */
final class ProtobufResponses {
    private static final String TYPE = "application/vnd.kubernetes.protobuf";

    private ProtobufResponses() {}

    static Response of(Response response) {
        if (response instanceof Response.Stream stream) {
            return new Response.Stream(
                    stream.status(), TYPE + ";stream=watch", stream.headers(), new Source(stream.source()));
        }
        Response.Whole whole = (Response.Whole) response;
        try {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            for (byte[] part : whole.body()) {
                json.write(part);
            }
            byte[] bytes = ProtobufEncoder.encode(Json.parse(json.toByteArray()));
            return new Response.Whole(whole.status(), TYPE, whole.headers(), List.of(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Source(StreamSource source) implements StreamSource {
        @Override
        public void open(StreamSink sink) {
            source.open(new Sink(sink));
        }

        @Override
        public void writable() {
            source.writable();
        }

        @Override
        public void closed() {
            source.closed();
        }
    }

    private record Sink(StreamSink sink) implements StreamSink {
        @Override
        public void execute(Runnable task) {
            sink.execute(task);
        }

        @Override
        public Runnable schedule(Duration delay, Runnable task) {
            return sink.schedule(delay, task);
        }

        @Override
        public boolean isWritable() {
            return sink.isWritable();
        }

        /** Translate a whole event. A part of one, from a fault, is sent as it is. */
        @Override
        public void write(byte[] bytes) {
            byte[] translated = bytes;
            try {
                JsonNode event = Json.parse(bytes);
                translated = ProtobufEncoder.encodeEvent(event.path("type").asText(), event.path("object"));
            } catch (IOException e) {
                translated = bytes;
            }
            sink.write(translated);
        }

        @Override
        public void flush() {
            sink.flush();
        }

        @Override
        public void end() {
            sink.end();
        }

        @Override
        public void cut() {
            sink.cut();
        }
    }
}
