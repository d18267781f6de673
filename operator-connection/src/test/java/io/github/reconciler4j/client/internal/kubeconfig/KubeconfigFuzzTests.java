package io.github.reconciler4j.client.internal.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.test.fuzz.Fuzz;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged kubeconfigs of others are read or refused, without their content. */
@Timeout(300)
class KubeconfigFuzzTests {

    @Test
    void kubeconfigWhenBytesAreDamagedIsReadOrRefused() {
        Fuzz.run(
                "kubeconfigs",
                input -> Kubeconfig.embedded("The kubeconfig of Secret a/b", new String(input, UTF_8))
                        .read(),
                InvalidKubeconfigException.class);
    }
}
