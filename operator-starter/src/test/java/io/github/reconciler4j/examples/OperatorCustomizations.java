package io.github.reconciler4j.examples;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.ManagerOptionsCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OperatorCustomizations {

    /** A setting without a property. */
    @Bean
    ManagerOptionsCustomizer apiCalls() {
        return options -> options.withClient(options.client().withWriteObserver(write -> {}));
    }

    /** A reconciler that is a lambda expression, with its customizer. */
    @Bean
    @Reconciler(name = "reminders")
    ObjectReconciler<Bucket> reminders(Client client) {
        return (bucket, context) -> Result.done();
    }

    @Bean
    ControllerCustomizer<ControllerBuilder<Bucket>> remindersCustomizer() {
        return controller -> controller.customizeOptions(options -> options.withMaxConcurrentReconciles(4));
    }

    @Bean
    ChannelSource<TenantReconciler.Tenant, TenantReconciler.Tenant> signups() {
        return ChannelSource.ofRequests("signups");
    }
}
