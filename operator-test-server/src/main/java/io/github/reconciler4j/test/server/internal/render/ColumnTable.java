package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Columns that are put together one by one. Immutable once built up. */
final class ColumnTable implements Columns {
    /** Works out one cell. */
    @FunctionalInterface
    private interface Cell {
        JsonNode of(ObjectNode object, Instant now);
    }

    private final List<Column> columns = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();
    private boolean wide;

    /** A table that begins with the object's name. */
    static ColumnTable named() {
        return new ColumnTable().add(PlainColumns.NAME, (object, now) -> text(Json.text(object, "metadata", "name")));
    }

    /** A table without columns. */
    static ColumnTable empty() {
        return new ColumnTable();
    }

    /** From here on, columns of wide output. */
    ColumnTable wide() {
        wide = true;
        return this;
    }

    /** From here on, columns that are always shown. */
    ColumnTable narrow() {
        wide = false;
        return this;
    }

    ColumnTable text(String name, Function<ObjectNode, String> value) {
        return add(column(name, "string"), (object, now) -> text(value.apply(object)));
    }

    ColumnTable number(String name, ToLongFunction<ObjectNode> value) {
        return add(column(name, "integer"), (object, now) -> LongNode.valueOf(value.applyAsLong(object)));
    }

    /** A number in a column that is called one of texts. */
    ColumnTable count(String name, ToLongFunction<ObjectNode> value) {
        return add(column(name, "string"), (object, now) -> LongNode.valueOf(value.applyAsLong(object)));
    }

    /** The time since a moment. */
    ColumnTable since(String name, Function<ObjectNode, String> moment) {
        return add(column(name, "string"), (object, now) -> text(Ages.since(moment.apply(object), now)));
    }

    /** The age of the object. */
    ColumnTable age() {
        return since("Age", object -> Json.text(object, "metadata", "creationTimestamp"));
    }

    private Column column(String name, String type) {
        String format = name.equals("Name") ? "name" : "";
        return new Column(name, type, format, "", wide ? 1 : 0);
    }

    private ColumnTable add(Column column, Cell cell) {
        columns.add(column);
        cells.add(cell);
        return this;
    }

    private static JsonNode text(String value) {
        return TextNode.valueOf(value);
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public List<JsonNode> cells(ObjectNode object, Instant now) {
        return cells.stream().map(cell -> cell.of(object, now)).toList();
    }
}
