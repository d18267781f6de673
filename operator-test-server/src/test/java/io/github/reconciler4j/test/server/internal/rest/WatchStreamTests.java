package io.github.reconciler4j.test.server.internal.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.control.RequestSummary;
import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.render.ListMeta;
import io.github.reconciler4j.test.server.internal.render.Renderer;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchStreamTests {

    private static final ResourceId GADGETS = new ResourceId("example.io", "gadgets");

    /** Writes down what a watch does with its connection. */
    private static final class Sink implements StreamSink {

        private final List<String> calls = new ArrayList<>();

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Runnable schedule(Duration delay, Runnable task) {
            return () -> {};
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void write(byte[] bytes) {
            calls.add("write");
        }

        @Override
        public void flush() {}

        @Override
        public void end() {
            calls.add("end");
        }

        @Override
        public void cut() {
            calls.add("cut");
        }
    }

    private static final class NoRenderer implements Renderer {

        @Override
        public byte[] object(StoredObject object) {
            return new byte[0];
        }

        @Override
        public byte[] tree(ObjectNode object) {
            return new byte[0];
        }

        @Override
        public List<byte[]> list(List<StoredObject> items, ListMeta metadata) {
            return List.of();
        }

        @Override
        public byte[] bookmark(long version, boolean initialEnd) {
            return new byte[0];
        }
    }

    private static List<String> open(boolean served) {
        RequestSummary request = new RequestSummary(
                "watch", "example.io", "v1", "gadgets", "Gadget", "", "", "", "admin", "/apis/example.io/v1/gadgets");
        WatchStream stream = new WatchStream(
                new WatchStream.Dependencies(
                        new VersionedStore(10, (resource, change) -> {}),
                        new FaultRules(),
                        new ActiveWatches(),
                        resource -> served && resource.equals(GADGETS)),
                request,
                GADGETS,
                new NoRenderer(),
                new EventFilter("", "", object -> true),
                new WatchStream.Plan(List.of(), 0, false, false, Duration.ofMinutes(1), Duration.ofMinutes(1)));
        Sink sink = new Sink();
        stream.open(sink);
        return sink.calls;
    }

    @Test
    void watchWhenItsDefinitionWentAfterTheRequestWasReadEnds() {
        assertThat(open(false)).containsExactly("end");
        assertThat(open(true)).isEmpty();
    }
}
