package io.github.reconciler4j.client.internal.apply;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import org.junit.jupiter.api.AfterEach;

/** On a real API server. */
@RealKubernetesTest
class ManagedFieldsComparisonIntegrationTests extends ManagedFieldsComparisonPromises {

    private final ApiConnection connection;

    ManagedFieldsComparisonIntegrationTests(RealKubernetes kubernetes) {
        connection = ApiConnection.open(kubernetes.config());
    }

    @Override
    ApiConnection connection() {
        return connection;
    }

    @AfterEach
    void close() {
        connection.close();
    }
}
