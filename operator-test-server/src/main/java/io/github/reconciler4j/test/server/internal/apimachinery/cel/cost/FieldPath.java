package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import java.util.Arrays;

/**
 * The path from a variable to a value. Paths share their slots as the slices of Go do that kube-apiserver keeps them in:
 * appending to a path twice can change what the first result names. The verdict of a rule can depend on it, so it is kept.
 * For one thread.
 */
final class FieldPath {
    static final FieldPath NONE = new FieldPath(new String[0], 0);

    private final String[] slots;
    private final int length;

    private FieldPath(String[] slots, int length) {
        this.slots = slots;
        this.length = length;
    }

    static FieldPath of(String variable) {
        return NONE.append(variable);
    }

    FieldPath append(String name) {
        String[] target = length < slots.length ? slots : Arrays.copyOf(slots, Math.max(1, 2 * slots.length));
        target[length] = name;
        return new FieldPath(target, length + 1);
    }

    /** Return a path that shares nothing with this one. */
    FieldPath appendToCopy(String name) {
        String[] copy = Arrays.copyOf(slots, length + 1);
        copy[length] = name;
        return new FieldPath(copy, length + 1);
    }

    boolean isEmpty() {
        return length == 0;
    }

    int length() {
        return length;
    }

    String get(int index) {
        return slots[index];
    }
}
