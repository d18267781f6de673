package io.github.reconciler4j.controller;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;

/** The promises about the control of single objects, verified against a real API server. */
@RealKubernetesTest
class ObjectControlPromisesIntegrationTests extends ControllerOnServerFixture implements ObjectControlPromises {

    private final RealKubernetes kubernetes;

    ObjectControlPromisesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Override
    Config config() {
        return kubernetes.config();
    }

    @Override
    String prepare() {
        kubernetes.applyDefinitions(Widget.CRD);
        return kubernetes.createNamespace("object-control-promises");
    }
}
