package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@OperatorTest(classes = WebPageWebhookTests.Application.class)
class WebPageWebhookTests {

    @Test
    void pageWhenItHasNoDoctypeGetsOne(TestCluster cluster) {
        WebPage created = create(cluster, "<h1>Hi</h1>");

        assertThat(created.getSpec().getHtml()).isEqualTo("<!DOCTYPE html><h1>Hi</h1>");
    }

    @Test
    void pageWhenItHasAScriptIsDenied(TestCluster cluster) {
        assertThatThrownBy(() -> create(cluster, "<script>"))
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(422);
                    assertThat(e.getStatus().getDetails().getCauses().get(0).getField())
                            .isEqualTo("spec.html");
                })
                .hasMessageContaining("must not have scripts");
    }

    private static WebPage create(TestCluster cluster, String html) {
        WebPage page = new WebPage();
        page.setMetadata(new ObjectMetaBuilder().withName("page").build());
        page.setSpec(new WebPageSpec());
        page.getSpec().setHtml(html);
        String namespace = cluster.createNamespace("pages");
        return cluster.client().resource(page).inNamespace(namespace).create();
    }

    static class PageRules implements Validator<WebPage> {
        @Override
        public void validate(WebPage page, Validation validation) {
            if (page.getSpec().getHtml().contains("<script>")) {
                validation.invalid("spec.html", page.getSpec().getHtml(), "must not have scripts");
            }
        }
    }

    static class PageDefaults implements Defaulter<WebPage> {
        @Override
        public void applyDefaults(WebPage page, AdmissionRequest<WebPage> request) {
            String html = page.getSpec().getHtml();
            if (!html.startsWith("<!DOCTYPE")) {
                page.getSpec().setHtml("<!DOCTYPE html>" + html);
            }
        }
    }

    @EnableAutoConfiguration
    @Import({WebPageReconciler.class, PageRules.class, PageDefaults.class})
    static class Application {}
}
