package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sizes of values: what expressions, types and the schema tell of them. Immutable. */
final class Sizes {
    private final SizedSchema schema;

    Sizes(SizedSchema schema) {
        this.schema = schema;
    }

    /** The size by the schema; null if it does not tell. */
    @Nullable
    Range bySchema(@Nullable List<String> path) {
        return path == null || path.isEmpty() ? null : schema.size(path);
    }

    Range of(Node node) {
        Range size = node.size() != null ? node.size() : bySchema(node.path());
        return size != null ? size : Range.UNKNOWN;
    }

    /** The items of a list, or keys of a map; null for anything else. */
    static @Nullable Node items(Node list) {
        CelType item = itemType(list.type());
        if (item == null) {
            return null;
        }
        List<String> path = null;
        if (list.path() != null) {
            path = new ArrayList<>(list.path());
            path.add("@items");
        }
        return new Node(null, path, item, null);
    }

    private static @Nullable CelType itemType(CelType type) {
        if (type instanceof ListType list) {
            return list.elemType();
        }
        return type instanceof MapType map ? map.keyType() : null;
    }

    static boolean isText(CelType type) {
        return type.kind() == CelKind.STRING || type.kind() == CelKind.BYTES;
    }

    /** The size of what is written in the expression itself; null for everything else. */
    static @Nullable Range ofLiteral(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT -> ofConstant(expression.constant());
            case LIST -> Range.of(expression.list().elements().size());
            case MAP -> Range.of(expression.map().entries().size());
            default -> null;
        };
    }

    private static Range ofConstant(CelConstant constant) {
        return switch (constant.getKind()) {
            case STRING_VALUE ->
                Range.of(constant.stringValue()
                        .codePointCount(0, constant.stringValue().length()));
            case BYTES_VALUE -> Range.of(constant.bytesValue().size());
            default -> Range.ONE;
        };
    }

    /** The size of values that are all of the same size; null for other types. */
    static @Nullable Range ofType(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> Range.ONE;
            default ->
                type instanceof OptionalType optional
                        ? ofType(optional.parameters().get(0))
                        : null;
        };
    }
}
