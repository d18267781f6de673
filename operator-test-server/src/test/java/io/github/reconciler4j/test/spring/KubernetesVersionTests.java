package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;

@OperatorTest(classes = KubernetesVersionTests.Application.class, kubernetes = "1.31", definitions = "definitions")
class KubernetesVersionTests {

    @Configuration(proxyBeanMethods = false)
    static class Application {}

    @Test
    void serverOffersTheVersion(KubernetesClient client) {
        assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("31");
        assertThat(client.getApiResources("networking.k8s.io/v1").getResources())
                .extracting(resource -> resource.getName())
                .contains("networkpolicies")
                .doesNotContain("ipaddresses");
    }

    @OperatorTest(kubernetes = "v1.31.4")
    static class WithPatch {}

    @Test
    void versionWhenNotMajorAndMinorIsRefused() {
        assertThatThrownBy(() ->
                        new OperatorTestContextCustomizerFactory().createContextCustomizer(WithPatch.class, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid 'kubernetes' of @OperatorTest: 'v1.31.4' is not a version such as 1.31");
    }
}
