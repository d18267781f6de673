package io.github.reconciler4j.sample;

import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Defaulter;
import org.springframework.stereotype.Component;

/** Completes images that have neither a tag nor a digest. */
@Component
class WebAppDefaulter implements Defaulter<WebApp> {

    @Override
    public void applyDefaults(WebApp app, AdmissionRequest<WebApp> request) {
        String image = app.getSpec().getImage();
        String name = image.substring(image.lastIndexOf('/') + 1); // the part before can contain a port
        if (!name.isEmpty() && !name.contains(":") && !name.contains("@")) {
            app.getSpec().setImage(image + ":latest");
        }
    }
}
