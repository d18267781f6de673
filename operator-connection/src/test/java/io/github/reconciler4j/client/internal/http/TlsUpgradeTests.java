package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.TestCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsUpgradeTests {

    private static final String[] ENABLED = {
        "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
    };

    @ParameterizedTest
    @ValueSource(strings = {"mixed mode, emulated-client, sharing", "interpreted mode"})
    void cipherSuitesWhenThereIsNoSecondCompilerStartWithChaCha(String mode) {
        assertThat(TlsUpgrade.ordered(ENABLED, mode)).containsExactly(ENABLED[1], ENABLED[3], ENABLED[0], ENABLED[2]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mixed mode, sharing", ""})
    void cipherSuitesWhenThereIsASecondCompilerKeepTheOrderOfTheJdk(String mode) {
        assertThat(TlsUpgrade.ordered(ENABLED, mode)).isEqualTo(ENABLED);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_20)
    void handshakeWhenServerRefusesTheGroupIsRepeatedWithAll() {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        try (ScriptedServer server = ScriptedServer.startTlsWithGroup(
                        certificates,
                        "secp384r1",
                        (request, out) -> out.write(ScriptedServer.json(200, "{}", "Connection: close")));
                ApiConnection connection = ApiConnection.open(
                        certificates.config("https://127.0.0.1:" + server.port()), ConnectionOptions.defaults())) {
            ApiRequest post = ApiRequest.of("create", "POST", "/x"); // is not sent again after it was sent

            assertThat(connection.send(post).code()).isEqualTo(200);
            assertThat(connection.send(post).code()).isEqualTo(200);
        }
    }
}
