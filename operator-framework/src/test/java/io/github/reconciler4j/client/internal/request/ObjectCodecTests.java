package io.github.reconciler4j.client.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which responses are the requested object, and how objects are written. */
class ObjectCodecTests {

    private static final KindInfo POD = Scheme.create().kindOf(Pod.class);
    private static final String HEAD = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'foo','namespace':'shop'}";

    private static ClientCall call(Optional<ObjectKey> key) {
        ApiRequest request = ApiRequest.of("get", "GET", "/api/v1/namespaces/shop/pods/foo");
        return Call.read(ClientCall.Verb.GET, POD, key, "", request);
    }

    private static final ClientCall GET = call(Optional.of(ObjectKey.of("shop", "foo")));

    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode tree(String text) {
        return ObjectCodec.readTree(json(text), "test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'foo'}}",
                "{'metadata':{'name':'foo'},'spec':{'containers':[]},'kind':'Pod','apiVersion':'v1'}",
            })
    void objectIsRead(String text) {
        assertThat(ObjectCodec.object(json(text), Pod.class, GET).getMetadata().getName())
                .isEqualTo("foo");
        assertThat(ObjectCodec.object(tree(text), Pod.class, GET).getMetadata().getName())
                .isEqualTo("foo");
        assertThat(ObjectCodec.object(json(text), Pod.class, call(Optional.empty())))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{'metadata':{'name':'foo'}}",
                "{'kind':'Pod','metadata':{'name':'foo'}}",
                "{'apiVersion':'v1','metadata':{'name':'foo'}}",
                "{'apiVersion':'v1','kind':'Node','metadata':{'name':'foo'}}",
                "{'apiVersion':'v2','kind':'Pod','metadata':{'name':'foo'}}",
                "{'apiVersion':'v1','kind':'Pod'}",
                "{'apiVersion':'v1','kind':'Pod','metadata':{}}",
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'bar'}}",
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'bar'},'spec':[]}",
                "{'apiVersion':'v1','kind':'Node','metadata':{'name':'foo'},'spec':[]}",
                "{'spec':[]}",
                "[]",
            })
    void objectWhenItIsAnotherThrows(String text) {
        assertThatThrownBy(() -> ObjectCodec.object(json(text), Pod.class, GET))
                .isInstanceOf(UnexpectedResponseException.class);
        assertThatThrownBy(() -> ObjectCodec.object(tree(text), Pod.class, GET))
                .isInstanceOf(UnexpectedResponseException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ",'spec':{'containers':[{},{'ports':7}]}}|spec.containers[1].ports",
                ",'spec':[]}|spec",
            })
    void objectWhenItDoesNotFitTheClassNamesTheField(String rest, String field) {
        for (Object read : List.of(json(HEAD + rest), tree(HEAD + rest))) {
            assertThatThrownBy(() -> {
                        if (read instanceof byte[] bytes) {
                            ObjectCodec.object(bytes, Pod.class, GET);
                        } else {
                            ObjectCodec.object((JsonNode) read, Pod.class, GET);
                        }
                    })
                    .isInstanceOfSatisfying(UndecodableObjectException.class, e -> {
                        assertThat(e.field()).isEqualTo(field);
                        assertThat(e.key()).isEqualTo(ObjectKey.of("shop", "foo"));
                    });
        }
    }

    @Test
    void otherWhenItIsOfItsKindIsRead() {
        String scale = "'metadata':{'name':'foo'},'spec':{'replicas':3}}";
        Scale read =
                ObjectCodec.other(json("{'kind':'Scale','apiVersion':'autoscaling/v1'," + scale), Scale.class, GET);
        assertThat(read.getSpec().getReplicas()).isEqualTo(3);
        assertThat(ObjectCodec.other(json("{'kind':'Scale','apiVersion':'autoscaling/v1'}"), Scale.class, GET))
                .isNotNull();
        assertThat(ObjectCodec.other(json("{'kind':'Anything'}"), GenericKubernetesResource.class, GET)
                        .getKind())
                .isEqualTo("Anything");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'apiVersion':'autoscaling/v1'}",
                "{'kind':'Status','apiVersion':'v1'}",
                "{'kind':'Other','apiVersion':'autoscaling/v1'}",
                "{'kind':'Scale','apiVersion':'autoscaling/v2'}",
                "{'kind':'Scale'}",
                "{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'name':'bar'}}",
            })
    void otherWhenItIsSomethingElseThrows(String text) {
        assertThatThrownBy(() -> ObjectCodec.other(json(text), Scale.class, GET))
                .isInstanceOf(UnexpectedResponseException.class);
    }

    @Test
    void otherWhenItIsAStatusIsNoGenericObject() {
        assertThatThrownBy(() -> ObjectCodec.other(json("{'kind':'Status'}"), GenericKubernetesResource.class, GET))
                .isInstanceOf(UnexpectedResponseException.class);
        assertThatThrownBy(() -> ObjectCodec.other(json("{}"), GenericKubernetesResource.class, GET))
                .isInstanceOf(UnexpectedResponseException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"'metadata':{'name':'foo','namespace':'shop'},|shop/foo", "'metadata':{'name':' '},|?", "|?"})
    void otherWhenItDoesNotFitTheClassNamesTheObject(String metadata, String key) {
        String text =
                "{'kind':'Scale','apiVersion':'autoscaling/v1'," + (metadata == null ? "" : metadata) + "'spec':[]}";
        assertThatThrownBy(() -> ObjectCodec.other(json(text), Scale.class, call(Optional.empty())))
                .isInstanceOfSatisfying(
                        UndecodableObjectException.class,
                        e -> assertThat(e.key()).hasToString(key));
    }

    @Test
    void objectWhenItCannotBeWrittenNamesTheClassOnly() {
        Object broken = new Object() {
            public String getValue() {
                throw new IllegalStateException("hunter2");
            }
        };
        assertThatThrownBy(() -> ObjectCodec.tree(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be written as JSON");
        assertThatThrownBy(() -> ObjectCodec.bytes(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be written as JSON");
        assertThatThrownBy(() -> ObjectCodec.tree("text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not written as a JSON object");
        assertThatThrownBy(() -> ObjectCodec.copy(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void copySharesNothing() {
        ConfigMap map = new ConfigMap();
        map.setData(Map.of("a", "b"));
        ConfigMap copy = ObjectCodec.copy(map);
        assertThat(copy).isEqualTo(map).isNotSameAs(map);
    }

    /** The first and last character of each range that is escaped, and the ones next to it. */
    @ParameterizedTest
    @CsvSource({
        "7e, false",
        "7f, true",
        "80, true",
        "9f, true",
        "a0, false",
        "2027, false",
        "2028, true",
        "2029, true",
        "202a, false",
        "feff, true",
        "fefe, false",
        "ff00, false",
        "ffef, false",
        "fff0, true",
        "ffff, true",
        "fdcf, false",
        "fdd0, true",
        "fdef, true",
        "fdf0, false",
        "10000, false",
        "1f600, false"
    })
    void characterThatYamlDoesNotTakeIsEscaped(String hex, boolean escaped) {
        String character = Character.toString(Integer.parseInt(hex, 16));
        String expected = escaped ? "\\u" + "0".repeat(4 - hex.length()) + hex : character;
        assertThat(new String(ObjectCodec.yamlBytes(Map.of("a", character)), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"" + expected + "\"}");
        assertThat(new String(ObjectCodec.bytes(Map.of("a", character)), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"" + character + "\"}");
    }
}
