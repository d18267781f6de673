package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import org.jspecify.annotations.Nullable;

/** Which part of a type counts for a value: the one of the value's own form if there is one. */
enum TypeDispatch {
    SCALAR,
    LIST,
    MAP,
    NONE;

    static TypeDispatch of(TypeSchema type, @Nullable JsonNode node) {
        if (node != null && node.isObject() && type.map() != null) {
            return MAP;
        }
        if (node != null && node.isArray() && type.list() != null) {
            return LIST;
        }
        if (node != null && node.isValueNode() && !node.isNull() && type.scalar() != null) {
            return SCALAR;
        }
        if (type.map() != null) {
            return MAP;
        }
        if (type.scalar() != null) {
            return SCALAR;
        }
        return type.list() != null ? LIST : NONE;
    }
}
