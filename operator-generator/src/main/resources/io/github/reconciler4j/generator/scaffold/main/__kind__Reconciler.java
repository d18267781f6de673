package ${package};

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;

/** Creates a ConfigMap for each ${kind}. */
@Reconciler(
        owns = ConfigMap.class,
        permissions = {
            @Permission(resources = "configmaps", verbs = {"get", "create", "patch"}),
            @Permission(group = ${kind}.GROUP, resources = "${plural}/status", verbs = "patch")
        })
class ${kind}Reconciler implements ObjectReconciler<${kind}> {

    private final Client client;

    ${kind}Reconciler(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(${kind} object, ReconcileContext context) {
        client.apply(configMap(object)); // server-side apply; sends nothing if nothing would change
        client.status().edit(object, changed -> Conditions.of(changed.getStatus().getConditions(), changed)
                .setTrue("Ready", "ConfigMapApplied", "The ConfigMap contains the text"));
        return Result.done(); // called again when the object or its ConfigMap changes; an exception is retried
    }

    private static ConfigMap configMap(${kind} object) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(object.getMetadata().getNamespace())
                .withName(object.getMetadata().getName())
                .endMetadata()
                .addToData("text", object.getSpec().getText())
                .build();
        OwnerReferences.setController(map, object); // Kubernetes deletes the ConfigMap with its owner
        return map;
    }
}
