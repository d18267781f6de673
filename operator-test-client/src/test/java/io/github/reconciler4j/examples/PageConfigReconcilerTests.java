package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.test.client.FakeClient;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageConfigReconcilerTests {

    private final FakeClient client = FakeClient.of(Page.of("hello", "<h1>Hi</h1>"));
    private final Page page = client.get(Page.class, "pages", "hello").orElseThrow();
    private final ReconcileContext context = ReconcileContext.of(Request.of(page));

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void reconcileWhenThePageIsNewCreatesItsConfigMap() {
        new PageConfigReconciler(client).reconcile(page, context);

        assertThat(client.get(ConfigMap.class, "pages", "hello"))
                .hasValueSatisfying(map -> assertThat(map.getData()).containsEntry("index.html", "<h1>Hi</h1>"));
    }

    @Test
    void reconcileWhenTheServerForbidsTheConfigMapFails() {
        client.faults().add(FaultRule.of(RequestMatch.writes().kind("ConfigMap"), Fault.forbidden()));

        assertThatThrownBy(() -> new PageConfigReconciler(client).reconcile(page, context))
                .isInstanceOf(ForbiddenException.class);
    }
}
