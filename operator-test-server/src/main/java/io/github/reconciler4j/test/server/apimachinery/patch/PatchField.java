package io.github.reconciler4j.test.server.apimachinery.patch;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.FieldType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import java.util.ArrayList;
import java.util.List;

/** How one field merges: its type (for lists that of an item), its strategy and its merge key. Immutable. */
record PatchField(TypeSchema type, String strategy, String mergeKey) {

    private static final String RETAIN_KEYS = "retainKeys";

    static PatchField lookup(TypeSchema owner, String name) {
        MapType struct = owner.map();
        if (struct == null || struct.fields().isEmpty()) {
            throw StatusException.unclassified("merging an object in json but data type is not struct, instead is: "
                    + (struct == null ? "string" : "map"));
        }
        FieldType field = struct.fields().get(name);
        if (field == null) {
            throw StatusException.unclassified("unable to find api field in struct " + owner.name()
                    + " for the json field " + FieldError.quoted(name));
        }
        return new PatchField(field.type().get(), strategy(field.patchStrategies()), field.patchMergeKey());
    }

    static PatchField lookupList(TypeSchema owner, String name) {
        PatchField field = lookup(owner, name);
        ListType list = field.type.list();
        if (list == null) {
            throw StatusException.unclassified("expected slice or array type, but got: struct");
        }
        return new PatchField(list.element().get(), field.strategy, field.mergeKey);
    }

    private static String strategy(List<String> strategies) {
        List<String> others = new ArrayList<>(strategies);
        others.remove(RETAIN_KEYS);
        return others.isEmpty() ? "" : others.get(0);
    }

    boolean isMerged() {
        return strategy.equals("merge");
    }

    boolean isReplaced() {
        return strategy.equals("replace");
    }
}
