package ${package};

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
#if( !$cluster )
import io.fabric8.kubernetes.api.model.Namespaced;
#end
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A ${kind}. The description of the custom resource is this comment. */
@Group(${kind}.GROUP)
@Version("#if( $storedVersion )${storedVersion}#{else}v1alpha1#end")
@Plural("${plural}")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
#if( $cluster )
public class ${kind} extends CustomResource<${kind}Spec, ${kind}Status> {
#else
public class ${kind} extends CustomResource<${kind}Spec, ${kind}Status> implements Namespaced {
#end

    static final String GROUP = "${group}";

    @Override
    protected ${kind}Spec initSpec() {
        return new ${kind}Spec();
    }

    @Override
    protected ${kind}Status initStatus() {
        return new ${kind}Status();
    }
}
