package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The events of one open watch. Bookmarks that come by time are left out; the one after the initial events is not. A
 * thread of its own reads; {@link #take} is for one thread.
 */
final class Events implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String END_OF_INITIAL = "k8s.io/initial-events-end";
    private static final String END = "{\"type\":\"END\"}";
    private static final int TIMEOUT_SECONDS = 30;

    private final InputStream stream;
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();

    Events(InputStream stream) {
        this.stream = stream;
        Thread reader = new Thread(this::read, "differential-watch");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = JSON.readTree(line);
                if (!isTimed(event)) {
                    events.add(event);
                }
            }
            events.add(JSON.readTree(END));
        } catch (IOException e) {
            // closed by the test, or broken: the missing events show it
        }
    }

    private static boolean isTimed(JsonNode event) {
        return event.path("type").asText().equals("BOOKMARK")
                && !event.at("/object/metadata/annotations").has(END_OF_INITIAL)
                && !event.at("/object/rows/0/object/metadata/annotations").has(END_OF_INITIAL);
    }

    /** The next events, fewer when they do not come in time; the end of the stream is an event of type END. */
    List<JsonNode> take(int count) throws InterruptedException {
        List<JsonNode> taken = new ArrayList<>();
        while (taken.size() < count) {
            @Nullable JsonNode event = events.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (event == null) {
                return taken;
            }
            taken.add(event);
        }
        return taken;
    }

    /** The next events up to the one about the object of this name; fewer when it does not come in time. */
    List<JsonNode> takeUntil(String name) throws InterruptedException {
        List<JsonNode> taken = new ArrayList<>();
        while (true) {
            List<JsonNode> next = take(1);
            taken.addAll(next);
            if (next.isEmpty()
                    || next.get(0).at("/object/metadata/name").asText().equals(name)) {
                return taken;
            }
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
