package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.selector.FieldSelector;
import io.github.reconciler4j.test.server.apimachinery.selector.LabelSelector;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.Map;
import java.util.function.Predicate;

/** Which objects a list or watch is about: the label and field selectors of its query. Immutable. */
final class Selection implements Predicate<StoredObject> {
    private final ResourceType type;
    private final Predicate<Map<String, String>> labels;
    private final FieldSelector fields;
    private final boolean everything;
    private final boolean byNameOnly;

    private Selection(ResourceType type, Predicate<Map<String, String>> labels, FieldSelector fields, boolean all) {
        this.type = type;
        this.labels = labels;
        this.fields = fields;
        everything = all;
        byNameOnly = FieldLabels.needsOnlyName(fields.fields());
    }

    /** Reads the selectors of a query. */
    static Selection of(ResourceType type, Query query) {
        String labelText = query.first("labelSelector");
        String fieldText = query.first("fieldSelector");
        FieldSelector fields = FieldSelector.parse(fieldText);
        FieldLabels.check(type, fields.fields());
        boolean all = labelText.isBlank() && fields.terms().isEmpty();
        return new Selection(type, LabelSelector.parse(labelText), fields, all);
    }

    /** Whether nothing is left out. */
    boolean isEverything() {
        return everything;
    }

    /** The only name that an object may have; empty when names do not matter. */
    String onlyName() {
        return fields.requiredValue("metadata.name").orElse("");
    }

    @Override
    public boolean test(StoredObject object) {
        if (everything) {
            return true;
        }
        if (!labels.test(object.labels())) {
            return false;
        }
        return fields.terms().isEmpty() || byNameOnly ? fields.matches(field -> place(object, field)) : deep(object);
    }

    private static String place(StoredObject object, String field) {
        return field.equals("metadata.name")
                ? object.name().name()
                : object.name().namespace();
    }

    private boolean deep(StoredObject object) {
        ObjectNode tree = object.tree();
        return fields.matches(field -> FieldLabels.value(type, tree, field));
    }

    /** Complains about an object name in the path that the selector contradicts. */
    void requireName(String name) {
        if (!name.isEmpty() && !onlyName().isEmpty() && !onlyName().equals(name)) {
            throw StatusException.badRequest("fieldSelector metadata.name doesn't match requested name");
        }
    }
}
