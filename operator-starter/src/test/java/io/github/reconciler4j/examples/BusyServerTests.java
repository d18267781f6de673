package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.spring.OperatorTest;
import org.junit.jupiter.api.Test;

@OperatorTest(classes = WebPageApplication.class)
class BusyServerTests {

    @Test
    void configMapWhenTheServerIsBusyComesLater(TestCluster cluster, KubernetesServer server) {
        RequestMatch writes = RequestMatch.writes().kind("ConfigMap").user(TestCluster.OPERATOR);
        server.faults().add(FaultRule.of(writes, Fault.unavailable()).times(2));

        String namespace = cluster.createNamespace("pages");
        cluster.client().resource(page("patient")).inNamespace(namespace).create();

        cluster.expect(ConfigMap.class, namespace, "patient").toExist();
        await().untilAsserted(() -> assertThat(server.requests().matching(writes))
                .extracting(LoggedRequest::status)
                .containsSubsequence(503, 503, 201));
    }

    private static WebPage page(String name) {
        WebPage page = new WebPage();
        page.setMetadata(new ObjectMetaBuilder().withName(name).build());
        page.setSpec(new WebPageSpec());
        page.getSpec().setHtml("<h1>Hi</h1>");
        return page;
    }
}
