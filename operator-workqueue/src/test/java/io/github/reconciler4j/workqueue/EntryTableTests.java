package io.github.reconciler4j.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.workqueue.Entry.EntryTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EntryTableTests {

    /** Keys of which many have the same hash. */
    private record Key(int id) {
        @Override
        public int hashCode() {
            return id % 7 * 65_536;
        }
    }

    private final EntryTable<Key> table = new EntryTable<>();
    private final Map<Key, Entry<Key>> model = new HashMap<>();

    @Property(tries = 300)
    void tableWhenChangedAtRandomFindsWhatIsInIt(
            @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 199) Integer> choices) {
        for (int choice : choices) {
            toggle(new Key(choice));
            assertThat(table.size()).isEqualTo(model.size());
        }
        for (int id = 0; id < 200; id++) {
            Key key = new Key(id);
            assertThat(table.get(key, EntryTable.hash(key))).isSameAs(model.get(key));
        }
    }

    @Test
    void tableWhenItGrowsAndShrinksFindsWhatIsInIt() {
        EntryTable<Integer> numbers = new EntryTable<>();
        for (int i = 0; i < 100_000; i++) {
            numbers.put(new Entry<>(i, EntryTable.hash(i), null));
        }
        for (int i = 0; i < 100_000; i++) {
            Entry<Integer> entry = numbers.get(i, EntryTable.hash(i));
            assertThat(entry).isNotNull();
            if (i % 100 != 0) {
                numbers.remove(entry);
            }
        }
        assertThat(numbers.size()).isEqualTo(1000);
        for (int i = 0; i < 100_000; i++) {
            assertThat(numbers.get(i, EntryTable.hash(i)) != null).isEqualTo(i % 100 == 0);
        }
    }

    @Test
    void removeWhenEntryIsNotInTheTableThrows() {
        Key key = new Key(1);
        Entry<Key> entry = new Entry<>(key, EntryTable.hash(key), null);
        assertThatIllegalStateException().isThrownBy(() -> table.remove(entry));
    }

    private void toggle(Key key) {
        Entry<Key> present = model.remove(key);
        if (present == null) {
            Entry<Key> entry = new Entry<>(key, EntryTable.hash(key), null);
            table.put(entry);
            model.put(key, entry);
        } else {
            table.remove(present);
        }
    }
}
