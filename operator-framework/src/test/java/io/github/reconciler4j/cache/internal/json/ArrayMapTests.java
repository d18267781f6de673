package io.github.reconciler4j.cache.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.reconciler4j.cache.internal.json.MutableHeader.ArrayMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** It is as any other map that cannot be modified. */
class ArrayMapTests {

    private static final Map<String, String> OTHER = Map.of("a", "1", "b", "2", "c", "");

    private final Map<String, String> map = ArrayMap.of(new String[] {"a", "1", "b", "2", "c", ""});

    @Test
    void itHasWhatTheArrayHas() {
        assertThat(map).isEqualTo(OTHER).hasSameHashCodeAs(OTHER).hasSize(3);
        assertThat(OTHER).isEqualTo(map);
        assertThat(map.entrySet()).isEqualTo(OTHER.entrySet()).hasSize(3);
        assertThat(map.get("b")).isEqualTo("2");
        assertThat(map.get("c")).isEmpty();
        assertThat(map.get("1")).isNull();
        assertThat(map.containsKey("c")).isTrue();
        assertThat(map.containsKey("d")).isFalse();
        assertThat(ArrayMap.of(ArrayMap.NONE)).isEmpty();
    }

    @Test
    void iteratorEndsAfterTheLastEntry() {
        Iterator<Map.Entry<String, String>> entries = map.entrySet().iterator();
        for (String expected : new String[] {"a=1", "b=2", "c="}) {
            assertThat(entries.hasNext()).isTrue();
            assertThat(entries.next()).hasToString(expected);
        }
        assertThat(entries.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(entries::next);
    }

    @Test
    void itCannotBeModified() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> map.put("a", "2"));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> map.remove("a"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> map.entrySet().iterator().next().setValue("2"));
        assertThat(map).isEqualTo(OTHER);
    }
}
