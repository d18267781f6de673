package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ProtobufDecoderTests {
    /** What kubectl sends for {@code create configmap c --from-literal=a=b}. */
    private static final String CONFIG_MAP = "6b387300" + "0a0f0a0276311209436f6e6669674d6170" + "1211"
            + "0a070a016312004200" + "12060a0161120162" + "1a002200";

    @Test
    void decodeWhenConfigMapReadsNameAndData() throws IOException {
        assertThat(ProtobufDecoder.decode(HexFormat.of().parseHex(CONFIG_MAP)))
                .isEqualTo(TestJson.of("{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'c', generateName: '',"
                        + " creationTimestamp: null}, data: {a: 'b'}}"));
    }

    @Test
    void decodeWhenOptionsOfADeletionReadsThemInTheVersionOfAnyGroup() throws IOException {
        String options = "6b387300" + "0a180a07617070732f7631120d44656c6574654f7074696f6e73" + "1205" + "2a03416c6c";

        assertThat(ProtobufDecoder.decode(HexFormat.of().parseHex(options)))
                .isEqualTo(TestJson.of("{apiVersion: 'apps/v1', kind: 'DeleteOptions', dryRun: ['All']}"));
    }

    @Test
    void decodeWhenKindIsUnknownFails() {
        String thing = "6b387300" + "0a0b0a027631120554" + "68696e67" + "1205" + "2a03416c6c";

        assertThatThrownBy(() -> ProtobufDecoder.decode(HexFormat.of().parseHex(thing)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no kind \"Thing\"");
    }

    @Test
    void decodeWhenNoProtobufFails() {
        assertThatThrownBy(() -> ProtobufDecoder.decode("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not appear to be a protobuf message");
    }
}
