package io.github.reconciler4j.cache.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MutableHeaderTests {

    private final HeaderReader headers = new HeaderReader(new StringInterner());

    private MutableHeader read(String metadata) throws IOException {
        byte[] json = metadata.getBytes(UTF_8);
        return headers.read(json, 0, json.length);
    }

    @ParameterizedTest
    @CsvSource({"ns,a", "'',a", "kube-system,system:node.one"})
    void toStringWhenAllIsSetIsNamespaceAndNameAsOfAKey(String namespace, String name) throws IOException {
        MutableHeader header = read("""
                {"name": "%s", "namespace": "%s", "uid": "s3cr3t", "resourceVersion": "s3cr3t", "generation": 373,
                "creationTimestamp": "s3cr3t", "deletionTimestamp": "s3cr3t", "labels": {"s3cr3t": "s3cr3t"},
                "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "s3cr3t"}, "finalizers": ["s3cr3t"],
                "ownerReferences": [{"apiVersion": "v1", "kind": "s3cr3t", "name": "s3cr3t", "uid": "s3cr3t"}]}
                """.formatted(name, namespace));
        assertThat(header).hasToString(new ObjectKey(namespace, name).toString());
        assertThat(header.toString()).contains(name).doesNotContain("s3cr3t", "373", "last-applied");
    }

    @Test
    void toStringWhenAnotherObjectWasReadIsThatOfTheOther() throws IOException {
        assertThat(read("{\"namespace\": \"ns\", \"name\": \"a\"}")).hasToString("ns/a");
        assertThat(read("{\"name\": \"b\"}")).hasToString("b");
    }

    @Test
    void toStringWhenNothingWasReadIsEmpty() {
        assertThat(new MutableHeader()).hasToString("");
    }
}
