package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import org.junit.jupiter.api.Test;

@OperatorTest(classes = WebPageApplication.class)
class WebPageTests {

    @Test
    void pageWhenCreatedGetsAConfigMap(TestCluster cluster) {
        String namespace = cluster.createNamespace("pages");
        WebPage page = new WebPage();
        page.setMetadata(new ObjectMetaBuilder().withName("hello").build());
        page.setSpec(new WebPageSpec());
        page.getSpec().setHtml("<h1>Hi</h1>");

        cluster.client().resource(page).inNamespace(namespace).create();

        cluster.expect(ConfigMap.class, namespace, "hello").toHave("/data/index.html", "<h1>Hi</h1>");
    }
}
