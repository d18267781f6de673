package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kinds that a scheme knows, beside those that a server serves. */
@AnyKubernetesTest
class SchemeIntegrationTests {

    private final AnyKubernetes kubernetes;

    SchemeIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void builtInKindsWhenAServerServesThemHaveItsPluralAndScope() {
        Scheme scheme = Scheme.create();
        List<KindInfo> served = new ArrayList<>();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(kubernetes.config()).build()) {
            Stream.concat(
                            Stream.of("v1"),
                            client.getApiGroups().getGroups().stream()
                                    .filter(group -> isBuiltIn(group.getName()))
                                    .flatMap(SchemeIntegrationTests::apiVersions))
                    .forEach(version -> client.getApiResources(version).getResources().stream()
                            .filter(resource -> !resource.getName().contains("/"))
                            .map(resource -> info(version, resource))
                            .forEach(served::add));
        }
        assertThat(served).hasSizeGreaterThan(50);
        assertThat(served)
                .allSatisfy(info -> assertThat(scheme.kindOf(info.kind())).isEqualTo(info));
    }

    private static boolean isBuiltIn(String group) {
        return !group.contains(".")
                || group.endsWith(".k8s.io") && !group.equals("metrics.k8s.io") && !group.startsWith("gateway.");
    }

    private static Stream<String> apiVersions(APIGroup group) {
        return group.getVersions().stream().map(version -> version.getGroupVersion());
    }

    private static KindInfo info(String apiVersion, APIResource resource) {
        return new KindInfo(KindName.of(apiVersion, resource.getKind()), resource.getName(), resource.getNamespaced());
    }
}
