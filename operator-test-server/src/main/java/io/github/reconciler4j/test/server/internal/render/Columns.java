package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/**
 * The columns in which a kind is printed.
 *
 * @since 0.1.0
 */
public interface Columns {
    /**
     * One column.
     *
     * @param name the heading
     * @param type {@code string}, {@code integer}, {@code date}, ...
     * @param format {@code name} for the name column; may be empty
     * @param description what it tells
     * @param priority 0 for columns that are always shown, more for wide output
     */
    record Column(String name, String type, String format, String description, int priority) {
        /** A column that is always shown. */
        static Column of(String name, String type) {
            return new Column(name, type, "", "", 0);
        }

        /** A column of wide output. */
        static Column wide(String name, String type) {
            return new Column(name, type, "", "", 1);
        }
    }

    /** The columns. */
    List<Column> columns();

    /** The cells of an object, one for each column. */
    List<JsonNode> cells(ObjectNode object, Instant now);
}
