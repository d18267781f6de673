package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known so far of the parts of one expression: where their values come from and how large they are. For one thread. */
final class Memory {
    /**
     * The sizes of what is in a list or map.
     *
     * @param list whether it is a list
     * @param key of its keys
     * @param value of its values
     */
    record Entries(boolean list, Range key, Range value) {
        static @Nullable Entries union(@Nullable Entries one, @Nullable Entries other) {
            return one == null || other == null
                    ? null
                    : new Entries(one.list, one.key.or(other.key), one.value.or(other.value));
        }
    }

    private record Local(
            @Nullable List<String> path,
            @Nullable Range size,
            @Nullable Entries entries) {}

    private final CelAbstractSyntaxTree tree;
    private final Sizes sizes;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, Range> known = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    Memory(CelAbstractSyntaxTree tree, Sizes sizes) {
        this.tree = tree;
        this.sizes = sizes;
    }

    CelType type(CelExpr expression) {
        return tree.getType(expression.id()).orElse(SimpleType.DYN);
    }

    private @Nullable Local local(CelExpr expression) {
        if (expression.getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return null;
        }
        Deque<Local> stack = locals.get(expression.ident().name());
        return stack == null ? null : stack.peek();
    }

    @Nullable
    List<String> path(CelExpr expression) {
        Local local = local(expression);
        return local != null ? local.path() : paths.get(expression.id());
    }

    void reached(CelExpr identifier) {
        Local local = local(identifier);
        List<String> path =
                local != null ? local.path() : List.of(identifier.ident().name());
        if (path != null) {
            paths.put(identifier.id(), path);
        }
    }

    void reached(CelExpr expression, CelExpr from, String step) {
        paths.put(expression.id(), extended(path(from), step));
    }

    private static List<String> extended(@Nullable List<String> path, String step) {
        List<String> longer = path == null ? new ArrayList<>() : new ArrayList<>(path);
        longer.add(step);
        return longer;
    }

    /** The size as far as it is known; null otherwise. */
    @Nullable
    Range size(CelExpr expression) {
        Range size = known.get(expression.id());
        size = size != null ? size : Sizes.ofLiteral(expression);
        if (size != null) {
            return size;
        }
        Range schema = sizes.bySchema(path(expression));
        if (schema != null) {
            known.put(expression.id(), schema);
            return schema;
        }
        Range typed = Sizes.ofType(type(expression));
        Local local = local(expression);
        return typed != null || local == null ? typed : local.size();
    }

    Range sizeOrUnknown(CelExpr expression) {
        Range size = size(expression);
        return size == null ? Range.UNKNOWN : size;
    }

    void sized(CelExpr expression, @Nullable Range size) {
        if (size != null) {
            known.put(expression.id(), size);
        }
    }

    @Nullable
    Entries entries(CelExpr expression) {
        Entries found = entries.get(expression.id());
        Local local = found == null ? local(expression) : null;
        return local == null ? found : local.entries();
    }

    void filled(CelExpr expression, @Nullable Entries with) {
        if (with != null) {
            entries.put(expression.id(), with);
        }
    }

    Node node(CelExpr expression) {
        List<String> path = path(expression);
        boolean own = path != null
                && !path.isEmpty()
                && List.of("__result__", "@result").contains(path.get(0));
        return new Node(expression, own ? null : path, type(expression), size(expression));
    }

    void bind(String name, CelExpr to) {
        push(name, new Local(path(to), size(to), entries(to)));
    }

    /** Gives a name to the items of a list or keys of a map. */
    void bindItems(String name, CelExpr range) {
        if (isList(range)) {
            bindValues(name, range);
        } else {
            bindKeys(name, range);
        }
    }

    void bindKeys(String name, CelExpr range) {
        Entries of = entries(range);
        String step = isList(range) ? "@indices" : "@keys";
        push(name, new Local(extended(path(range), step), of == null ? null : of.key(), null));
    }

    void bindValues(String name, CelExpr range) {
        Entries of = entries(range);
        String step = isList(range) ? "@items" : "@values";
        push(name, new Local(extended(path(range), step), of == null ? null : of.value(), null));
    }

    private boolean isList(CelExpr range) {
        Entries of = entries(range);
        return of == null ? type(range).kind() == CelKind.LIST : of.list();
    }

    private void push(String name, Local local) {
        locals.computeIfAbsent(name, n -> new ArrayDeque<>()).push(local);
    }

    void unbind(String name) {
        locals.getOrDefault(name, new ArrayDeque<>()).pop();
    }
}
