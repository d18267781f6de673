package io.github.reconciler4j.workqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A heap whose nodes know their index, so that removing or moving one costs O(log n). A node has four children, so the heap
 * is half as deep as a binary one. Not thread-safe.
 */
final class IndexedHeap<E extends IndexedHeap.Node> {

    private static final int ARITY_BITS = 2;
    private static final int MIN_CAPACITY = 16;

    private final Order<E> order;
    private @Nullable Node[] nodes = new Node[MIN_CAPACITY];
    private int size;

    IndexedHeap(Order<E> order) {
        this.order = order;
    }

    /** Defines which of two nodes comes first. */
    @FunctionalInterface
    interface Order<E> {
        boolean before(E one, E other);
    }

    /** A node, which can be in at most one heap. */
    abstract static class Node {
        private int heapIndex = -1;

        final boolean isInHeap() {
            return heapIndex >= 0;
        }
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @Nullable
    E peek() {
        return size == 0 ? null : at(0);
    }

    void add(E node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, size * 2);
        }
        siftUp(size++, node);
    }

    void remove(E node) {
        int index = ((Node) node).heapIndex;
        E last = at(--size);
        nodes[size] = null;
        ((Node) node).heapIndex = -1;
        if (last != node) {
            settle(index, last);
        }
        shrink();
    }

    /** Move a node whose rank has changed. */
    void update(E node) {
        settle(((Node) node).heapIndex, node);
    }

    /** Return the first nodes in order, at most {@code limit}, in O(limit * log limit). */
    List<E> first(int limit) {
        List<E> found = new ArrayList<>(Math.min(limit, size));
        PriorityQueue<Integer> next = new PriorityQueue<>(this::compare);
        if (size > 0) {
            next.add(0);
        }
        while (found.size() < limit && !next.isEmpty()) {
            int index = next.remove();
            found.add(at(index));
            int child = firstChild(index);
            for (int end = Math.min(child + (1 << ARITY_BITS), size); child < end; child++) {
                next.add(child);
            }
        }
        return found;
    }

    private int compare(int one, int other) {
        return order.before(at(one), at(other)) ? -1 : 1;
    }

    private void settle(int index, E node) {
        if (index > 0 && order.before(node, at(parent(index)))) {
            siftUp(index, node);
        } else {
            siftDown(index, node);
        }
    }

    private void siftUp(int start, E node) {
        int index = start;
        while (index > 0) {
            E parent = at(parent(index));
            if (!order.before(node, parent)) {
                break;
            }
            place(index, parent);
            index = parent(index);
        }
        place(index, node);
    }

    private void siftDown(int start, E node) {
        int index = start;
        for (int child = firstChild(index); child < size; child = firstChild(index)) {
            int least = leastFrom(child);
            E candidate = at(least);
            if (!order.before(candidate, node)) {
                break;
            }
            place(index, candidate);
            index = least;
        }
        place(index, node);
    }

    private int leastFrom(int firstChild) {
        int least = firstChild;
        int end = Math.min(firstChild + (1 << ARITY_BITS), size);
        for (int child = firstChild + 1; child < end; child++) {
            if (order.before(at(child), at(least))) {
                least = child;
            }
        }
        return least;
    }

    private void place(int index, E node) {
        nodes[index] = node;
        ((Node) node).heapIndex = index;
    }

    private void shrink() {
        if (nodes.length > MIN_CAPACITY && size < nodes.length >> 3) {
            nodes = Arrays.copyOf(nodes, nodes.length >> 1);
        }
    }

    private static int parent(int index) {
        return (index - 1) >> ARITY_BITS;
    }

    private static int firstChild(int index) {
        return (index << ARITY_BITS) + 1;
    }

    /** Return the node at an index below {@link #size}; only index 0 implies a rank. */
    @SuppressWarnings({"unchecked", "NullAway"}) // indexes below size hold nodes of this heap
    E at(int index) {
        return (E) nodes[index];
    }
}
