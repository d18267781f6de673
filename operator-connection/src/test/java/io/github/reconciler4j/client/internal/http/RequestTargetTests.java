package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTargetTests {

    @ParameterizedTest
    @CsvSource({
        "/api/v1/configmaps, get configmaps",
        "/api/v1/namespaces/shop/configmaps, get configmaps in shop",
        "/api/v1/namespaces/shop/configmaps/a, get configmaps shop/a",
        "/api/v1/namespaces, get namespaces",
        "/api/v1/namespaces/shop, get namespaces shop",
        "/api/v1/namespaces/shop/status, get namespaces/status shop",
        "/api/v1/nodes/n1, get nodes n1",
        "/apis/apps/v1/namespaces/shop/deployments/web/scale, get deployments.apps/scale shop/web",
        "/apis/apps/v1, get /apis/apps/v1",
        "/readyz, get /readyz",
        "api/v1/configmaps, get configmaps",
        "/api/v1, get /api/v1",
        "/api/v1/namespaces/shop/finalize, get namespaces/finalize shop",
        "/api/v1/namespaces/shop/status/a, get status shop/a",
        "/api/v1/nodes/n1/proxy, get nodes/proxy n1",
        "/apis/apps/v1/deployments, get deployments.apps",
        "/apis/apps/v1/namespaces/shop/deployments, get deployments.apps in shop",
        "/other/apps/v1/deployments, get /other/apps/v1/deployments",
    })
    void pathIsDescribedInTheTermsOfPermissions(String path, String words) {
        assertThat(RequestTarget.of(path).describe("get")).isEqualTo(words);
    }
}
