package io.github.reconciler4j.client.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.fuzz.Fuzz;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged authorities, certificates and keys are used or refused. The files of the clients have a line before the key. */
@Timeout(300)
class CertificatesFuzzTests {

    @Test
    void authorityWhenBytesAreDamagedIsUsedOrRefused() {
        Fuzz.run(
                "authorities",
                input -> load(new ConfigBuilder(Config.empty())
                        .withCaCertData(Base64.getEncoder().encodeToString(input))
                        .build()),
                GeneralSecurityException.class,
                IOException.class);
    }

    @Test
    void clientCertificateWhenBytesAreDamagedIsUsedOrRefused() {
        Fuzz.run(
                "client-certificates",
                input -> {
                    String[] parts = new String(input, ISO_8859_1).split("=====\\n", 2);
                    load(new ConfigBuilder(Config.empty())
                            .withClientCertData(parts[0])
                            .withClientKeyData(parts[parts.length - 1])
                            .build());
                },
                GeneralSecurityException.class,
                IOException.class);
    }

    private static void load(Config config) throws GeneralSecurityException, IOException {
        new TlsMaterial(config, TimeSource.system(), false);
    }
}
