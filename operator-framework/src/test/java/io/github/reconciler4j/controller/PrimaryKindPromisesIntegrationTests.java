package io.github.reconciler4j.controller;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;

/** The promises about primary kinds, verified against a real API server. */
@RealKubernetesTest
class PrimaryKindPromisesIntegrationTests extends ControllerOnServerFixture implements PrimaryKindPromises {

    private final RealKubernetes kubernetes;

    PrimaryKindPromisesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Override
    Config config() {
        return kubernetes.config();
    }

    @Override
    String prepare() {
        kubernetes.applyDefinitions(Widget.CRD);
        return kubernetes.createNamespace("primary-kind-promises");
    }
}
