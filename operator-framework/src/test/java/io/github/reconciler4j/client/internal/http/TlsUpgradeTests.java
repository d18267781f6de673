package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

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
}
