package ${package};

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A ${kind}. The description of the custom resource is this comment. */
@Group(${kind}.GROUP)
@Version("v1alpha1")
@Plural("${plural}")
public class ${kind} extends CustomResource<${kind}Spec, ${kind}Status> implements Namespaced {

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
