package io.github.reconciler4j.controller;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;

/** The promises of controllers, held against a real API server. */
@RealKubernetesTest
class ControllerPromisesIntegrationTests extends ControllerOnServerFixture implements ControllerPromises {

    private final RealKubernetes kubernetes;

    ControllerPromisesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Override
    Config config() {
        return kubernetes.config();
    }

    @Override
    String prepare() {
        kubernetes.applyDefinitions(Widget.CRD);
        return kubernetes.createNamespace("controller-promises");
    }
}
