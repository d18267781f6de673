package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.time.Instant;
import java.util.List;

/** Name and time of creation: the columns of kinds without columns of their own. */
final class PlainColumns implements Columns {
    static final Column NAME = new Column("Name", "string", "name", "Name must be unique within a namespace.", 0);

    private static final List<Column> COLUMNS = List.of(
            NAME,
            new Column("Created At", "date", "", "CreationTimestamp is the time at which the server created it.", 0));

    @Override
    public List<Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<JsonNode> cells(ObjectNode object, Instant now) {
        return List.of(
                TextNode.valueOf(Json.text(object, "metadata", "name")),
                TextNode.valueOf(Json.text(object, "metadata", "creationTimestamp")));
    }
}
