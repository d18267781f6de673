package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A mock of the client replaces what reconcilers use, while the operator runs on. */
@OperatorTest(classes = WebPageApplication.class)
class MockedClientTests {

    @MockitoBean
    private Client client;

    @Autowired
    private Manager manager;

    @Test
    void reconcilerWhenTheClientIsMockedWritesToTheMock(TestCluster cluster) {
        String namespace = cluster.createNamespace("pages");
        WebPage page = new WebPage();
        page.setMetadata(new ObjectMetaBuilder().withName("mocked").build());
        page.setSpec(new WebPageSpec());
        page.getSpec().setHtml("<h1>Hi</h1>");
        cluster.client().resource(page).inNamespace(namespace).create();

        verify(client, timeout(60_000)).apply(any(ConfigMap.class));
        assertThat(manager.status().running()).isTrue();
        assertThat(mockingDetails(manager.client()).isMock()).isFalse();
    }
}
