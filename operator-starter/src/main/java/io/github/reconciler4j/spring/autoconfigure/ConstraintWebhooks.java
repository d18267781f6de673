package io.github.reconciler4j.spring.autoconfigure;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.webhook.JakartaValidator;
import io.github.reconciler4j.webhook.Webhooks;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds a validator for each kind whose class has constraints of Jakarta Validation. */
@FunctionalInterface
interface ConstraintWebhooks {

    /**
     * Add the validators.
     *
     * @param types the classes of the kinds of the application, without those that have such a validator
     */
    void addTo(Webhooks.Builder webhooks, Set<Class<? extends HasMetadata>> types);

    /** Applies if Jakarta Validation is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(jakarta.validation.Validator.class)
    @ConditionalOnBooleanProperty(name = "reconciler4j.webhook.validate-constraints", matchIfMissing = true)
    class JakartaConfiguration {

        private static final Logger LOG = LoggerFactory.getLogger(ConstraintWebhooks.class);

        @Bean
        ConstraintWebhooks reconciler4jConstraintWebhooks(ObjectProvider<jakarta.validation.Validator> validators) {
            return (webhooks, types) ->
                    validators.ifUnique(validator -> types.forEach(type -> add(webhooks, type, validator)));
        }

        private static <T extends HasMetadata> void add(
                Webhooks.Builder webhooks, Class<T> type, jakarta.validation.Validator constraints) {
            JakartaValidator<T> validator = JakartaValidator.of(type, constraints);
            if (validator.hasConstraints()) {
                webhooks.validator(type, validator);
                LOG.debug("Added a webhook for the constraints on {}", type.getName());
            }
        }
    }
}
