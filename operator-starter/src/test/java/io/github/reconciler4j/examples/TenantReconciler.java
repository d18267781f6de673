package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.Watches;
import java.time.Duration;

@Reconciler(name = "tenants")
class TenantReconciler
        implements RequestReconciler<TenantReconciler.Tenant>,
                ControllerCustomizer<RequestControllerBuilder<TenantReconciler.Tenant>> {

    record Tenant(String name) {}

    private final ChannelSource<Tenant, Tenant> signups;
    private final Billing billing;

    TenantReconciler(ChannelSource<Tenant, Tenant> signups, Billing billing) {
        this.signups = signups;
        this.billing = billing;
    }

    /** Adds sources outside of Kubernetes. */
    @Override
    public void customize(RequestControllerBuilder<Tenant> controller) {
        controller.source(signups); // signups.send(new Tenant("acme")) reconciles a tenant
        controller.source(PollSource.ofAll("plans", Duration.ofMinutes(5), billing::plans)); // changed ones
    }

    @Watches
    Tenant tenantOf(Namespace namespace) {
        String name = namespace.getMetadata().getLabels().get("example.com/tenant");
        return name == null ? null : new Tenant(name);
    }

    @Override
    public Result reconcile(Tenant tenant, ReconcileContext context) {
        return Result.done();
    }
}
