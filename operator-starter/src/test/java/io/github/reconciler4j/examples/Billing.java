package io.github.reconciler4j.examples;

import io.github.reconciler4j.examples.TenantReconciler.Tenant;
import java.util.Map;

/** A system outside of Kubernetes. */
interface Billing {

    /** Return the plan of each tenant. */
    Map<Tenant, String> plans();
}
