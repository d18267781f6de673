package io.github.reconciler4j.test.server.apimachinery.apply;

import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings a field set that was written under an older schema in line with the present one: where a map or list has become
 * atomic, owning parts of it becomes owning all of it. Used by one thread.
 */
final class SchemaReconciler {

    private final FieldSet atomicRoots = new FieldSet();
    private final List<PathElement> path = new ArrayList<>();

    private SchemaReconciler() {}

    /** Returns the set as it has to be under the type; the set itself if nothing changes. */
    static FieldSet reconcile(FieldSet set, TypeSchema type) {
        SchemaReconciler reconciler = new SchemaReconciler();
        reconciler.visit(set, type, false);
        if (reconciler.atomicRoots.isEmpty()) {
            return set;
        }
        return set.recursiveDifference(reconciler.atomicRoots).union(reconciler.atomicRoots);
    }

    private void visit(@Nullable FieldSet set, TypeSchema type, boolean isLeaf) {
        switch (TypeDispatch.of(type, null)) {
            case MAP -> visitMap(set, Objects.requireNonNull(type.map()), isLeaf);
            case LIST -> visitList(set, Objects.requireNonNull(type.list()), isLeaf);
            default -> {
                // scalars have never been anything else
            }
        }
    }

    private void visitMap(@Nullable FieldSet set, MapType map, boolean isLeaf) {
        boolean isDeduced =
                map.fields().isEmpty() && map.element() != null && map.element().get() == TypeSchema.deduced();
        if (isDeduced || set == null) {
            return;
        }
        if (!isLeaf && map.atomic()) {
            if (!set.isEmpty()) {
                atomicRoots.insert(path);
            }
            return;
        }
        visitChildren(set, element -> element instanceof PathElement.Field field ? map.typeOf(field.name()) : null);
    }

    private void visitList(@Nullable FieldSet set, ListType list, boolean isLeaf) {
        if (!isLeaf && list.atomic()) {
            atomicRoots.insert(path);
        } else if (set != null) {
            visitChildren(set, element -> list.element().get());
        }
    }

    private interface TypeBelow {
        @Nullable
        TypeSchema of(PathElement element);
    }

    private void visitChildren(FieldSet set, TypeBelow typeBelow) {
        for (PathElement element : set.parents()) {
            if (!set.hasMember(element)) {
                visitChild(set, element, typeBelow, false);
            }
        }
        for (PathElement element : set.members()) {
            visitChild(set, element, typeBelow, true);
        }
    }

    private void visitChild(FieldSet set, PathElement element, TypeBelow typeBelow, boolean isMember) {
        TypeSchema type = typeBelow.of(element);
        if (type == null) {
            return;
        }
        FieldSet below = set.below(element);
        path.add(element);
        visit(below.isEmpty() ? null : below, type, isMember && below.isEmpty());
        path.remove(path.size() - 1);
    }
}
