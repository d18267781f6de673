package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Lease of borders that another client has written, and names of namespaces of all kinds. Replicas use borders that are valid, say
 * in one line that others cannot be read, and never write over what they cannot read: another version may have written it.
 */
class NamespaceBordersHostileTests {

    private static final String ANNOTATION = "reconciler4j.io/namespace-borders-of-4";
    private static final List<Long> CURRENT = List.of(1L, 2L, 3L);

    /** What is not three ascending numbers. */
    private static final List<String> TEXTS = List.of(
            " ",
            ",",
            ",,",
            "1,2",
            "1,2,3,4",
            "1,2,3,",
            ",1,2,3",
            "1,,3",
            "1, 2, 3",
            "1;2;3",
            "3,2,1",
            "1,1,2",
            "0,1,2",
            "-1,2,3",
            "1,2,10000000000000000",
            "1,2,0x3",
            "1,2,g",
            "[1,2,3]",
            "{\"a\":",
            "null",
            "1\n2\n3",
            "1,2,3\r\nX-Header: y",
            "1,2,\u0000",
            "1,2,\u202E3",
            "\uFEFF1,2,3",
            "1,2,\uD83D\uDE00",
            "1,2,\u2028",
            "$(x) ${y} #{z} {{w}}",
            "%s %n",
            "1".repeat(100_000),
            "1,".repeat(100_000),
            "x".repeat(1_000_000));

    private final BordersServer server = new BordersServer();
    private final NamespaceBorders borders = server.borders();

    private static String lease(String text) {
        try {
            ObjectNode lease = (ObjectNode) KubernetesJson.mapper().readTree(BordersServer.LEASE);
            lease.withObjectProperty("metadata").putObject("annotations").put(ANNOTATION, text);
            return lease.toString();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertRefused(String text) {
        server.requests.clear();
        server.lease = request -> lease(text);
        for (Optional<List<Long>> current : List.of(Optional.<List<Long>>empty(), Optional.of(CURRENT))) {
            assertThat(catchThrowable(() -> borders.agree(current)))
                    .as(text.substring(0, Math.min(text.length(), 80)))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("Annotation " + ANNOTATION
                            + " of Lease default/shop-borders cannot be read: remove it (R4J-213)");
        }
        assertThat(server.requests).containsOnly("get");
    }

    @Test
    void agreeWhenTheAnnotationHasAHostileTextSaysSoInOneLineAndWritesNothing() {
        TEXTS.forEach(this::assertRefused);
    }

    @Test
    void agreeWhenTheAnnotationHasARandomTextUsesBordersThatAreValidOrRefusesThem() {
        Random random = new Random(1);
        String characters = "0123456789abcdefABCDEF,,,, +-xg\u0660\uFF11\u00E9\uD83D";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder("1");
            random.ints(1 + random.nextInt(20), 0, characters.length())
                    .forEach(index -> text.append(characters.charAt(index)));
            server.lease = request -> lease(text.toString());
            try {
                Partition shards = Partition.of(4, Set.of()).withNamespaceBorders(borders.agree(Optional.of(CURRENT)));
                assertThat(shards.namespaceBorders()).hasSize(3);
            } catch (ApiException e) {
                assertThat(e).hasMessageContaining("remove it");
            }
        }
        assertThat(server.requests).containsOnly("get");
    }

    @Test
    void agreeWhenTheAnnotationIsRemovedWritesTheBordersThatTheReplicaUses() {
        assertRefused("3,2,1");
        server.lease = request -> BordersServer.LEASE;
        assertThat(borders.agree(Optional.of(CURRENT))).isEqualTo(CURRENT);
        assertThat(server.requests).endsWith("get", "update");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "{\"other\": \"x\"}",
                "{\"reconciler4j.io/namespace-borders-of-4\": \"\"}",
                "{\"reconciler4j.io/namespace-borders-of-4\": null}"
            })
    void agreeWhenThereIsNoAnnotationWritesOne(String annotations) {
        server.lease = request -> BordersServer.LEASE.replace(
                "\"resourceVersion\"", "\"annotations\": " + annotations + ", \"resourceVersion\"");
        assertThat(borders.agree(Optional.of(CURRENT))).isEqualTo(CURRENT);
        assertThat(server.requests).containsExactly("get", "update");
    }

    /** An API server refuses these, but a proxy can answer anything. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "\"text\"",
                "[]",
                "true",
                "{\"reconciler4j.io/namespace-borders-of-4\": [\"1\", \"2\", \"3\"]}",
                "{\"reconciler4j.io/namespace-borders-of-4\": {\"a\": 1}}",
                "{\"reconciler4j.io/namespace-borders-of-4\": 123}"
            })
    void agreeWhenAnnotationsAreNoTextsSaysSoAndWritesNothing(String annotations) {
        server.lease = request -> BordersServer.LEASE.replace(
                "\"resourceVersion\"", "\"annotations\": " + annotations + ", \"resourceVersion\"");
        assertThat(catchThrowable(() -> borders.agree(Optional.of(CURRENT))))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("cannot be read");
        assertThat(server.requests).containsExactly("get");
    }

    @Test
    void agreeWhenNamespacesHaveNamesOfAllOfUnicodeDividesThemAndReadsTheBordersBack() {
        List<String> names = new ArrayList<>();
        for (int codePoint = 1; codePoint <= Character.MAX_CODE_POINT; codePoint += codePoint < 0x3000 ? 1 : 257) {
            names.add("team-" + Character.toString(codePoint));
        }
        names.addAll(TEXTS);
        NamespaceBorders named = server.borders(new TreeSet<>(names).toArray(String[]::new));
        List<Long> written = named.agree(Optional.empty());
        Partition shards = Partition.of(4, Set.of()).withNamespaceBorders(written);
        int[] sizes = new int[4];
        new TreeSet<>(names).forEach(name -> sizes[shards.ofNamespace(name)]++);
        assertThat(sizes).as("names by shard").doesNotContain(0);
        assertThat(IntStream.of(sizes).max().orElse(0))
                .isLessThan(IntStream.of(sizes).min().orElse(0) * 2);

        String text = String.join(",", written.stream().map(Long::toHexString).toList());
        server.lease = request -> lease(text);
        assertThat(named.agree(Optional.empty())).isEqualTo(written);
    }
}
