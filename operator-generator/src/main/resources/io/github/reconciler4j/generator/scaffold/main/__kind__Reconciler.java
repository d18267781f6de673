package ${package};

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.objectset.ObjectSetResult;
import io.github.reconciler4j.objectset.ObjectSets;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;

/** Creates a ConfigMap for each ${kind} that has a text. */
@Reconciler(
        owns = ConfigMap.class,
        permissions = {
            @Permission(resources = "configmaps", verbs = {"get", "create", "patch", "delete"}),
            @Permission(group = ${kind}.GROUP, resources = {"${plural}", "${plural}/status"}, verbs = "patch")
        })
class ${kind}Reconciler implements ObjectReconciler<${kind}> {

    private final Client client;
    private final ObjectSets sets;

    ${kind}Reconciler(Client client, ObjectSets sets) {
        this.client = client;
        this.sets = sets;
    }

    @Override
    public Result reconcile(${kind} object, ReconcileContext context) {
        ObjectSetResult result = sets.reconcile(ObjectSet.ownedBy(object) // deletes what is not in the set any more
                .when(!object.getSpec().getText().isEmpty(), s -> s.apply(configMap(object))));
        client.status()
                .edit(object, changed -> result.report(Conditions.of(changed.getStatus().getConditions(), changed)));
        return result.toResult(); // called again when the object or its ConfigMap changes; a failure is retried
    }

    private static ConfigMap configMap(${kind} object) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(object.getMetadata().getName())
#if( $cluster )
                .withNamespace(object.getSpec().getNamespace())
#end
                .endMetadata()
                .addToData("text", object.getSpec().getText())
                .build();
    }
}
