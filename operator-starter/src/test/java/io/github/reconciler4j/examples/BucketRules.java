package io.github.reconciler4j.examples;

import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.OwnCertificateOptions;
import io.github.reconciler4j.webhook.OwnCertificates;
import io.github.reconciler4j.webhook.Validation;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.WebhookOptions;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

/** Webhooks as beans, and without Spring. */
@Configuration(proxyBeanMethods = false)
class BucketRules {

    @Component
    static class BucketValidator implements Validator<Bucket> {

        @Override
        public void validate(Bucket bucket, Validation validation) {
            if (bucket.getMetadata().getName().length() > 20) {
                validation.invalid("metadata.name", bucket.getMetadata().getName(), "must have at most 20 characters");
            }
        }

        @Override
        public WebhookOptions options() {
            return WebhookOptions.defaults().withTimeout(Duration.ofSeconds(5));
        }
    }

    @Bean
    Defaulter<Bucket> bucketDefaults() {
        return (bucket, request) -> bucket.getMetadata()
                .getLabels()
                .putIfAbsent("creator", request.user().name());
    }

    static void withoutSpring(Manager manager, Validator<Bucket> validator) {
        Webhooks webhooks =
                Webhooks.builder().validator(Bucket.class, validator).build();
        WebhookServer.addTo(
                manager,
                webhooks,
                OwnCertificates.create(OwnCertificateOptions.defaults()),
                WebhookServerOptions.defaults().withService("buckets", "bucket-operator-webhook"));
    }
}
