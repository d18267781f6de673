package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.client.FakeClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FakeClientUseTests {

    @Test
    void reconcileWhenThePageExistsCreatesItsConfigMap() {
        try (FakeClient client = FakeClient.of(Page.of("hello", "<h1>Hi</h1>"))) {
            Page page = client.get(Page.class, "pages", "hello").orElseThrow();
            new PageConfigReconciler(client).reconcile(page, ReconcileContext.of(Request.of(page)));
            assertThat(client.exists(Kind.of(ConfigMap.class), ObjectKey.of("pages", "hello")))
                    .isTrue();
        }
    }

    @Test
    void clientWhenAKindHasNoClassKnowsIt() {
        KindInfo certificate = new KindInfo(KindName.of("cert-manager.io/v1", "Certificate"), "certificates", true);
        FakeClient client = FakeClient.builder()
                .objects(Page.of("hello", "<h1>Hi</h1>"))
                .namespaces("shop")
                .kind(certificate)
                .options(ClientOptions.defaults().withTimeout(Duration.ofSeconds(5)))
                .build();

        try (client) {
            GenericKubernetesResource wanted = new GenericKubernetesResourceBuilder()
                    .withApiVersion("cert-manager.io/v1")
                    .withKind("Certificate")
                    .withNewMetadata()
                    .withNamespace("shop")
                    .withName("tls")
                    .endMetadata()
                    .build();
            client.create(wanted);
            assertThat(client.list(Kind.of(certificate.kind()), "shop")).hasSize(1);
        }
    }
}
