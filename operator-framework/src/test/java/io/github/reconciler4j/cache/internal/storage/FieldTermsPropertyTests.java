package io.github.reconciler4j.cache.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.cache.UnsupportedSelectorException;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Field selectors mean what they say, however they are written. */
class FieldTermsPropertyTests {

    private static final List<String> METADATA = List.of("metadata.name", "metadata.namespace");

    /** One part of a selector. */
    record Part(String field, String operator, String value, String space) {

        String text() {
            String escaped = value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
            return space + field + space + operator + space + escaped + space;
        }

        boolean isMetadata() {
            return METADATA.contains(field);
        }

        boolean holds(String namespace, String name) {
            String actual = field.equals("metadata.name") ? name : namespace;
            return !isMetadata() || actual.equals(value) != operator.equals("!=");
        }
    }

    @Provide
    Arbitrary<List<Part>> parts() {
        Arbitrary<String> space = Arbitraries.of("", " ", "  ");
        Arbitrary<Part> metadata = Combinators.combine(
                        Arbitraries.of(METADATA), Arbitraries.of("=", "==", "!="), Arbitraries.of("a", "b", ""), space)
                .as(Part::new);
        Arbitrary<String> terms =
                Arbitraries.strings().withChars("ab,=\\!").ofMinLength(0).ofMaxLength(5);
        Arbitrary<Part> index = Combinators.combine(
                        Arbitraries.of("node", "x"), Arbitraries.of("=", "=="), terms, space)
                .as(Part::new);
        return Arbitraries.oneOf(metadata, metadata, index).list().ofMaxSize(4);
    }

    private static String text(List<Part> parts) {
        return parts.stream().map(Part::text).collect(Collectors.joining(","));
    }

    @Property
    void matchesHoldsWhenEveryPartHolds(
            @ForAll("parts") List<Part> parts, @ForAll("names") String namespace, @ForAll("names") String name) {
        FieldTerms fields = FieldTerms.parse(text(parts));

        assertThat(fields.matches(namespace, name))
                .isEqualTo(parts.stream().allMatch(part -> part.holds(namespace, name)));
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.of("a", "b", "c", "");
    }

    @Property
    void indexTermsAreThoseOfOtherFields(@ForAll("parts") List<Part> parts) {
        assertThat(FieldTerms.parse(text(parts)).indexTerms())
                .isEqualTo(parts.stream()
                        .filter(part -> !part.isMetadata())
                        .map(part -> new FieldTerms.IndexTerm(part.field, part.value))
                        .toList());
    }

    @Property
    void namespaceOrIsTheFirstOneRequired(@ForAll("parts") List<Part> parts) {
        String expected = parts.stream()
                .filter(part -> part.field.equals("metadata.namespace") && !part.operator.equals("!="))
                .map(Part::value)
                .findFirst()
                .orElse("given");
        assertThat(FieldTerms.parse(text(parts)).namespaceOr("given")).isEqualTo(expected);
    }

    @Property
    void parseWhenAPartIsInvalidFails(@ForAll("parts") List<Part> parts, @ForAll("unsupported") String unsupported) {
        String selector = parts.isEmpty() ? unsupported : text(parts) + "," + unsupported;
        assertThatThrownBy(() -> FieldTerms.parse(selector))
                .isInstanceOf(UnsupportedSelectorException.class)
                .hasMessageContaining("'" + unsupported + "'");
        assertThat(FieldTerms.parseIfKnown(selector)).isNull();
    }

    @Provide
    Arbitrary<String> unsupported() {
        return Arbitraries.of("spec.x!=1", "node", "=a", "!=a", "node!=");
    }

    @Example
    void parseWhenPartsAreEmptyIgnoresThem() {
        assertThat(FieldTerms.parse(",metadata.name=a,,").matches("any", "a")).isTrue();
        assertThat(FieldTerms.parse(",metadata.name=a,,").matches("any", "b")).isFalse();
    }
}
