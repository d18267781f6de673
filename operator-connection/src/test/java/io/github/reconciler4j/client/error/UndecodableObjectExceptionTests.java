package io.github.reconciler4j.client.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UndecodableObjectExceptionTests {

    private static final KindName KIND = KindName.of("example.com/v1", "Thing");
    private static final ObjectKey KEY = ObjectKey.of("default", "hello");
    private static final String TYPE = UndecodableObjectExceptionTests.class.getName() + "$";
    private static final String CONSTRUCTOR =
            ": give it a constructor without parameters, or annotate one with @JsonCreator";
    private static final String IMPLEMENTATION = ": name an implementation with @JsonDeserialize(as = ...)";

    private static UndecodableObjectException decoded(Class<?> type, String json) {
        JsonProcessingException failure = catchThrowableOfType(
                JsonProcessingException.class, () -> KubernetesJson.mapper().readValue(json.replace('\'', '"'), type));
        return UndecodableObjectException.of(KIND, KEY, type, failure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'spec': {}} | spec | NoConstructor",
                "{'parts': [{}]} | parts[0] | NoConstructor",
                "{'several': {'a': 1}} | several | SeveralValues",
                "{'named': {'a': {}}} | named.a | Shape",
                "{'base': {}} | base | Base",
                "{'described': {'of': {}}} | described.of | Base",
            })
    void classWhenJacksonCannotCreateItIsNamed(String json, String field, String unusable) {
        UndecodableObjectException failure = decoded(Thing.class, json);
        assertThat(failure)
                .hasMessage("Thing default/hello does not fit " + TYPE + "Thing: see field '" + field
                        + "', because Jackson cannot create a " + TYPE + unusable
                        + (unusable.equals("Shape") || unusable.equals("Base") ? IMPLEMENTATION : CONSTRUCTOR)
                        + " (R4J-109)");
        assertThat(failure.field()).isEqualTo(field);
    }

    /** Users cannot change these classes. */
    @ParameterizedTest
    @CsvSource({
        "optional, java.util.Optional",
        "number, java.util.OptionalInt",
        "function, java.util.function.Function",
        "stream, java.io.InputStream"
    })
    void classWhenOfTheJdkIsReplacedOrDeserialized(String field, String unusable) {
        assertThat(decoded(OfJdk.class, "{'" + field + "': {}}"))
                .hasMessage("Thing default/hello does not fit " + TYPE + "OfJdk: see field '" + field
                        + "', because Jackson cannot create a " + unusable
                        + ": use another class, or name a deserializer with @JsonDeserialize(using = ...) (R4J-109)");
    }

    static final class OfJdk {
        public Optional<String> optional;
        public OptionalInt number;
        public Function<String, String> function;
        public InputStream stream;
    }

    @Test
    void objectWhenItsClassCannotBeCreatedHasNoField() {
        assertThat(decoded(NoConstructor.class, "{}"))
                .hasMessage(
                        "Thing default/hello does not fit " + TYPE + "NoConstructor, because Jackson cannot create a "
                                + TYPE + "NoConstructor" + CONSTRUCTOR + " (R4J-109)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"number", "circle", "pair", "parts"})
    void valueWhenWrongIsNotQuoted(String field) {
        assertThat(decoded(Thing.class, "{'" + field + "': 's3cret'}"))
                .hasMessage("Thing default/hello does not fit " + TYPE + "Thing: see field '" + field + "' (R4J-110)")
                .hasNoCause();
    }

    @Test
    void failureWhenItHasNoPathHasNoField() {
        assertThat(UndecodableObjectException.of(KIND, KEY, Thing.class, new IOException("s3cret")))
                .hasMessage("Thing default/hello does not fit " + TYPE + "Thing (R4J-110)");
    }

    static class Thing {
        public NoConstructor spec;
        public List<NoConstructor> parts;
        public Map<String, Shape> named;
        public Base base;
        public SeveralValues several;
        public int number;
        public Circle circle;
        public Pair pair;

        @JsonDeserialize(as = Circle.class)
        public Shape described;
    }

    static final class NoConstructor {
        NoConstructor(String unnamed) {
            assertThat(unnamed).isNotNull();
        }
    }

    static final class SeveralValues {
        SeveralValues(int a, String b) {
            assertThat(a + b).isNotNull();
        }
    }

    record Pair(int a, int b) {}

    interface Shape {}

    abstract static class Base {}

    static final class Circle implements Shape {
        public Base of;
    }
}
