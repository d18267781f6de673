package io.github.reconciler4j.spring.autoconfigure.observation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.support.Texts;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The names of the fields that a write contains, never their values. Reads the body once, token by token, and stops when it has
 * enough. Stateless.
 */
final class WrittenFields {

    /** The number of fields that are named. */
    static final int MAX_FIELDS = 12;

    /** The length of a path, after which it is cut. */
    static final int MAX_PATH = 60;

    private static final JsonFactory JSON = new JsonFactory();

    /** The fields with a map whose keys are content. */
    private static final Set<String> CONTENT = Set.of("data", "stringData", "binaryData");

    /** The fields that say which object is written. */
    private static final Set<String> IDENTITY = Set.of(
            "apiVersion",
            "kind",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "metadata.resourceVersion",
            "metadata.generation",
            "metadata.creationTimestamp");

    private final Set<String> found = new LinkedHashSet<>();
    private final int depth;

    private WrittenFields(int depth) {
        this.depth = depth;
    }

    /** Return the paths, separated by a comma; empty if there are none, or if the body is not understood. */
    static String of(ClientCall call) {
        byte[] body = call.request().body();
        if (body == null || !call.verb().isWrite() || isDeletion(call)) {
            return "";
        }
        WrittenFields fields = new WrittenFields(call.verb() == ClientCall.Verb.PATCH ? 3 : 2);
        try (JsonParser parser = JSON.createParser(body)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_ARRAY) {
                fields.readOperations(parser);
            } else if (first == JsonToken.START_OBJECT) {
                fields.readObject(parser, "", 1);
            }
        } catch (IOException e) {
            return "";
        }
        return String.join(",", fields.found);
    }

    private static boolean isDeletion(ClientCall call) {
        return call.verb() == ClientCall.Verb.DELETE || call.verb() == ClientCall.Verb.DELETE_ALL;
    }

    private void readObject(JsonParser parser, String parent, int level) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME && found.size() < MAX_FIELDS) {
            String path = parent.isEmpty() ? parser.currentName() : parent + "." + parser.currentName();
            boolean descends = parser.nextToken() == JsonToken.START_OBJECT && level < depth && !CONTENT.contains(path);
            int before = found.size();
            if (descends) {
                readObject(parser, path, level + 1);
            } else {
                parser.skipChildren();
            }
            if (found.size() == before && !IDENTITY.contains(path) && !(descends && path.equals("metadata"))) {
                add(path);
            }
        }
    }

    /** A JSON patch is a list of operations with pointers. */
    private void readOperations(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.START_OBJECT && found.size() < MAX_FIELDS) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING && name.equals("path")) {
                    addPointer(parser.getText());
                }
                parser.skipChildren();
            }
        }
    }

    private void addPointer(String pointer) {
        String[] names = pointer.split("/", depth + 2);
        StringBuilder path = new StringBuilder();
        for (int i = 1; i <= Math.min(depth, names.length - 1) && !CONTENT.contains(path.toString()); i++) {
            path.append(path.isEmpty() ? "" : ".")
                    .append(names[i].replace("~1", "/").replace("~0", "~"));
        }
        if (!IDENTITY.contains(path.toString()) && !path.isEmpty()) {
            add(path.toString());
        }
    }

    private void add(String path) {
        found.add(Texts.escaped(RunHistory.cut(path, MAX_PATH)).replace(',', ';'));
    }
}
