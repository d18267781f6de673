package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class IndexedHeapTests {

    private static final class Node extends IndexedHeap.Node {
        private int rank;
        private final int id;

        private Node(int rank, int id) {
            this.rank = rank;
            this.id = id;
        }
    }

    private final Comparator<Node> order =
            Comparator.<Node>comparingInt(node -> node.rank).thenComparing(node -> node.id);
    private final IndexedHeap<Node> heap = new IndexedHeap<>((one, other) -> order.compare(one, other) < 0);
    private final List<Node> model = new ArrayList<>();

    @Property(tries = 300)
    void heapWhenChangedAtRandomStaysInOrder(
            @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 999) Integer> choices) {
        int id = 0;
        for (int choice : choices) {
            Node some = model.isEmpty() ? null : model.get(choice % model.size());
            switch (choice % 5) {
                case 0, 1, 2 -> add(new Node(choice / 5, id++));
                case 3 -> remove(some);
                default -> update(some, choice / 7);
            }
            model.sort(order);
            assertThat(heap.size()).isEqualTo(model.size());
            assertThat(heap.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(heap.peek()).isSameAs(model.isEmpty() ? null : model.get(0));
        }
        assertThat(heap.first(7)).containsExactlyElementsOf(model.subList(0, Math.min(7, model.size())));
        assertThat(heap.first(1000)).containsExactlyElementsOf(model);
        for (Node expected : List.copyOf(model)) {
            assertThat(heap.peek()).isSameAs(expected);
            remove(expected);
        }
        assertThat(heap.isEmpty()).isTrue();
    }

    private void add(Node node) {
        heap.add(node);
        model.add(node);
        assertThat(node.isInHeap()).isTrue();
    }

    private void remove(Node node) {
        if (node != null) {
            heap.remove(node);
            model.remove(node);
            assertThat(node.isInHeap()).isFalse();
        }
    }

    private void update(Node node, int rank) {
        if (node != null) {
            node.rank = rank;
            heap.update(node);
        }
    }
}
