package io.github.reconciler4j.scheme;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that Kubernetes serves itself, from a table, so that no class of the model is loaded to know a kind. The table is
 * read when it is first needed. Immutable; safe for use by multiple threads.
 */
final class BuiltInKinds {
    private static final String TABLE = "built-in-kinds.txt";
    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    private final Map<KindName, Row> rows;

    private BuiltInKinds(Map<KindName, Row> rows) {
        this.rows = rows;
    }

    /** The kinds of Kubernetes 1.37, and those of earlier versions that the fabric8 client has a class for. */
    static BuiltInKinds get() {
        return Loaded.KINDS;
    }

    /** Return the plural and scope of a kind, null if it is not built in. */
    @Nullable
    KindInfo find(KindName kind) {
        Row row = rows.get(kind);
        return row == null ? null : row.info();
    }

    /** Load the class of a kind. Null if the kind is not built in, or the class is not whole on the class path. */
    @Nullable
    Class<? extends HasMetadata> typeOf(KindName kind) {
        Row row = rows.get(kind);
        if (row == null || row.type() == null) {
            return null;
        }
        try {
            return Class.forName(MODEL + row.type(), false, HasMetadata.class.getClassLoader())
                    .asSubclass(HasMetadata.class);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    Map<KindName, Row> rows() {
        return rows;
    }

    private static BuiltInKinds read() {
        Map<KindName, Row> rows = new HashMap<>();
        try (InputStream table = BuiltInKinds.class.getResourceAsStream(TABLE)) {
            if (table == null) {
                throw new IllegalStateException("The resource " + TABLE + " is not in the jar beside "
                        + BuiltInKinds.class.getName() + ": keep it when you repackage the jar");
            }
            new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Row::parse)
                    .forEach(row -> rows.put(row.info().kind(), row));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BuiltInKinds(Map.copyOf(rows));
    }

    /**
     * A line of the table.
     *
     * @param type the class without the package of the model, null if the fabric8 client has none
     */
    record Row(KindInfo info, @Nullable String type) {

        private static Row parse(String line) {
            String[] columns = line.split(" ");
            KindName kind = KindName.of(columns[0], columns[1]);
            KindInfo info = new KindInfo(kind, columns[2], columns[3].equals("Namespaced"));
            return new Row(info, columns.length > 4 ? columns[4] : null);
        }
    }

    /** Reads the table at the first use. */
    private static final class Loaded {
        private static final BuiltInKinds KINDS = read();
    }
}
