package ${package};

import io.github.reconciler4j.webhook.AdmissionRequest;
import io.github.reconciler4j.webhook.Defaulter;
import org.springframework.stereotype.Component;

/** Completes a ${kind} before it is stored. A second call must change nothing. */
@Component
class ${kind}Defaulter implements Defaulter<${kind}> {

    @Override
    public void applyDefaults(${kind} object, AdmissionRequest<${kind}> request) {
        object.getSpec().setText(object.getSpec().getText().strip());
    }
}
