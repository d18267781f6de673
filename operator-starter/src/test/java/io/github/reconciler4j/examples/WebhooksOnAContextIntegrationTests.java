package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestContextManager;

/** A test with webhooks on the cluster of a context. */
@RealKubernetesTest(dedicated = true)
class WebhooksOnAContextIntegrationTests {

    private static final String PORT = "webhooks.on.a.context";
    private static final String KUBECONFIG = "kubeconfig";
    private static final String CLUSTER = "reconciler4j.test.cluster";

    private final RealKubernetes kubernetes;

    WebhooksOnAContextIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @AfterEach
    void restore() {
        List.of(PORT, KUBECONFIG, CLUSTER).forEach(System::clearProperty);
    }

    private List<String> objects() {
        return Arrays.stream(kubernetes
                        .kubectl(
                                "get",
                                "validatingwebhookconfigurations,mutatingwebhookconfigurations,crds,secrets,namespaces",
                                "-A",
                                "--no-headers",
                                "-o",
                                "custom-columns=:.kind,:.metadata.namespace,:.metadata.name")
                        .split("\n"))
                .filter(line -> !line.contains("pages-")) // the namespace of the test ends later
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void clusterWhenTheTestHasEndedIsAsBefore() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            System.setProperty(PORT, String.valueOf(free.getLocalPort()));
        }
        System.setProperty(KUBECONFIG, kubernetes.kubeconfig("admin").toString());
        System.setProperty(CLUSTER, "context:admin");
        List<String> before = objects();

        TestContextManager test = new TestContextManager(OnAContext.class);
        OnAContext instance = new OnAContext();
        test.prepareTestInstance(instance);
        assertThat(instance.createPage().getSpec().getHtml()).isEqualTo("<!DOCTYPE html><h1>Hi</h1>");
        assertThat(objects()).as("objects during the test").hasSizeGreaterThan(before.size() + 3);
        test.afterTestClass();

        assertThat(objects()).containsExactlyInAnyOrderElementsOf(before);
    }

    @OperatorTest(
            classes = WebPageWebhookTests.Application.class,
            properties = {
                "reconciler4j.webhook.enabled=true",
                "reconciler4j.webhook.host=127.0.0.1",
                "reconciler4j.webhook.port=${" + PORT + "}",
                "reconciler4j.webhook.url=https://127.0.0.1:${" + PORT + "}"
            })
    static class OnAContext {

        @Autowired
        private TestCluster cluster;

        WebPage createPage() {
            WebPage page = new WebPage();
            page.setMetadata(new ObjectMetaBuilder().withName("page").build());
            page.setSpec(new WebPageSpec());
            page.getSpec().setHtml("<h1>Hi</h1>");
            String namespace = cluster.createNamespace("pages");
            return cluster.client().resource(page).inNamespace(namespace).create();
        }
    }
}
