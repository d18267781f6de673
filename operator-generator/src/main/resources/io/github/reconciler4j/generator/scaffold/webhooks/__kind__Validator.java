package ${package};

import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import org.springframework.stereotype.Component;

/** Denies what the schema of a ${kind} cannot express. */
@Component
class ${kind}Validator implements Validator<${kind}> {

    @Override
    public void validate(${kind} object, Validation validation) {
        if (object.getSpec().getText().chars().anyMatch(Character::isISOControl)) {
            validation.invalid("spec.text", "...", "must not contain control characters");
        }
    }
}
