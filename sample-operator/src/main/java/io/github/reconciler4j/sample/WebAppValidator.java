package io.github.reconciler4j.sample;

import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Denies what the schema cannot express: more files than a ConfigMap can contain. */
@Component
class WebAppValidator implements Validator<WebApp> {

    private static final int MAX_BYTES = 1024 * 1024;

    @Override
    public void validate(WebApp app, Validation validation) {
        int bytes = 0;
        for (Map.Entry<String, String> file : app.getSpec().getFiles().entrySet()) {
            bytes += file.getValue().getBytes(StandardCharsets.UTF_8).length;
            if (file.getKey().contains("/")) {
                validation.invalid("spec.files", file.getKey(), "must be the name of a file, without a folder");
            }
        }
        if (bytes > MAX_BYTES) {
            validation.invalid("spec.files", bytes + " bytes", "must have at most " + MAX_BYTES + " bytes in total");
        }
        if (app.getSpec().getReplicas() == 0) {
            validation.warn("spec.replicas is 0: the application is not available");
        }
    }
}
