package io.github.reconciler4j.sample;

import io.github.reconciler4j.webhook.Converter;
import org.springframework.stereotype.Component;

/** Converts between v1, which is stored, and v1beta1. The framework keeps what v1beta1 cannot express. */
@Component
class WebAppConverter implements Converter<WebApp, WebAppV1Beta1> {

    @Override
    public WebApp toHub(WebAppV1Beta1 beta) {
        WebApp app = new WebApp();
        app.setSpec(new WebAppSpec());
        app.getSpec().setImage(beta.getSpec().getImage());
        app.getSpec().setReplicas(beta.getSpec().getInstances());
        app.getSpec().setPort(beta.getSpec().getPort());
        app.setStatus(beta.getStatus());
        return app;
    }

    @Override
    public WebAppV1Beta1 fromHub(WebApp app) {
        WebAppV1Beta1 beta = new WebAppV1Beta1();
        beta.setSpec(new WebAppV1Beta1.Spec());
        beta.getSpec().setImage(app.getSpec().getImage());
        beta.getSpec().setInstances(app.getSpec().getReplicas());
        beta.getSpec().setPort(app.getSpec().getPort());
        beta.setStatus(app.getStatus());
        return beta;
    }
}
