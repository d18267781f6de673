package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Request;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The keys of maps and queues whose equality is written out. */
class KeyEqualityTests {

    private static final List<String> TEXTS = List.of("a", "b", "Aa", "BB"); // the last two have equal hashes

    private static void assertDistinct(List<Supplier<Object>> keys) {
        for (int i = 0; i < keys.size(); i++) {
            Object key = keys.get(i).get();
            assertThat(key)
                    .isEqualTo(keys.get(i).get())
                    .hasSameHashCodeAs(keys.get(i).get());
            assertThat(key).isNotEqualTo(null).isNotEqualTo("a");
            for (int j = 0; j < keys.size(); j++) {
                assertThat(key.equals(keys.get(j).get())).isEqualTo(i == j);
            }
        }
    }

    @Test
    void requestsAreEqualIfAllTheirPartsAre() {
        List<Supplier<Object>> keys = new ArrayList<>();
        TEXTS.forEach(namespace -> TEXTS.forEach(name ->
                TEXTS.forEach(cluster -> keys.add(() -> new Request(copy(namespace), copy(name), copy(cluster))))));
        assertDistinct(keys);
    }

    @Test
    void keysOfObjectsAreEqualIfBothTheirPartsAre() {
        List<Supplier<Object>> keys = new ArrayList<>();
        TEXTS.forEach(namespace -> TEXTS.forEach(name -> keys.add(() -> new ObjectKey(copy(namespace), copy(name)))));
        assertDistinct(keys);
    }

    @Test
    void kindsAreEqualIfAllTheirPartsAre() {
        List<Supplier<Object>> keys = new ArrayList<>();
        TEXTS.forEach(group -> TEXTS.forEach(version ->
                TEXTS.forEach(kind -> keys.add(() -> new KindName(copy(group), copy(version), copy(kind))))));
        assertDistinct(keys);
    }

    /** Texts of different objects are rarely the same instance. */
    private static String copy(String text) {
        return new StringBuilder(text).toString();
    }

    @Test
    void hashesOfManyRequestsDiffer() {
        HashSet<Integer> hashes = new HashSet<>();
        for (int namespace = 0; namespace < 40; namespace++) {
            for (int name = 0; name < 250; name++) {
                hashes.add(new Request("team-" + namespace, "web-" + name, "").hashCode());
            }
        }
        assertThat(hashes).hasSizeGreaterThan(9_900);
    }
}
