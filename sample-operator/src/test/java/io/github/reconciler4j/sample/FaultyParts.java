package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.webhook.Validator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.springframework.context.annotation.Bean;

/**
 * A controller of service accounts with a webhook, and one of limit ranges, whose faults a test turns on. Not annotated, so that a
 * scan for components does not find it.
 */
final class FaultyParts {

    static final String ACCOUNTS = "accounts";
    static final String LIMITS = "limits";

    private FaultyParts() {}

    /** What the code of the user does beside its work. Thread-safe. */
    static final class Hooks {

        private static final BiConsumer<ServiceAccount, Client> NOTHING = (account, client) -> {};

        /** Called in each reconciliation of a service account. */
        volatile BiConsumer<ServiceAccount, Client> reconciling = NOTHING;

        /** Called in the predicate of the service accounts. */
        volatile Runnable filtering = () -> {};

        /** Called in the webhook of the service accounts. */
        volatile Runnable reviewing = () -> {};

        /** Whether the reconciler of limit ranges asks to be called again without end. */
        volatile boolean repeating;

        final AtomicLong accountsReconciled = new AtomicLong();
        final AtomicLong limitsReconciled = new AtomicLong();

        void clear() {
            reconciling = NOTHING;
            filtering = () -> {};
            reviewing = () -> {};
            repeating = false;
        }
    }

    @Bean
    @Reconciler(name = ACCOUNTS)
    static ObjectReconciler<ServiceAccount> accounts(Client client, Hooks hooks) {
        return (account, context) -> {
            hooks.reconciling.accept(account, client);
            client.apply(copyOf(account));
            hooks.accountsReconciled.incrementAndGet();
            return Result.done();
        };
    }

    private static ConfigMap copyOf(ServiceAccount account) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(account.getMetadata().getNamespace())
                .withName("of-" + account.getMetadata().getName())
                .endMetadata()
                .addToData("seen", account.getMetadata().getResourceVersion())
                .build();
    }

    @Bean
    @Reconciler(name = LIMITS, initialBackoff = "1ns", maxBackoff = "1ns")
    static ObjectReconciler<LimitRange> limits(Hooks hooks) {
        return (limits, context) -> {
            hooks.limitsReconciled.incrementAndGet();
            return hooks.repeating ? Result.requeueWithBackoff() : Result.done();
        };
    }

    @Bean
    @SuppressWarnings("unchecked")
    static ControllerCustomizer<ControllerBuilder<ServiceAccount>> accountEvents(Hooks hooks) {
        return controller -> controller.when(event -> {
            hooks.filtering.run();
            return true;
        });
    }

    @Bean
    static Validator<ServiceAccount> accountRules(Hooks hooks) {
        return (account, validation) -> hooks.reviewing.run();
    }
}
