package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Fields that a request wants and others own with another value. Used by one thread. */
final class Conflicts {

    private final SortedMap<ManagerId, FieldSet> sets = new TreeMap<>();

    void add(ManagerId manager, FieldSet set) {
        sets.put(manager, set);
    }

    boolean isEmpty() {
        return sets.isEmpty();
    }

    SortedMap<ManagerId, FieldSet> sets() {
        return sets;
    }

    /** Return the server's answer: 409 with one cause per field. */
    StatusException toException() {
        List<FieldError> causes = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        sets.forEach((manager, set) -> {
            lines.add("conflicts with " + manager + ":");
            set.forEach(path -> {
                String field = FieldPath.text(path);
                causes.add(new FieldError(field, "FieldManagerConflict", "conflict with " + manager));
                lines.add("- " + field);
            });
        });
        String details = causes.size() == 1
                ? "Apply failed with 1 conflict: " + causes.get(0).message() + ": "
                        + causes.get(0).path()
                : "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
        return StatusException.withCauses(409, "Conflict", details, causes);
    }
}
