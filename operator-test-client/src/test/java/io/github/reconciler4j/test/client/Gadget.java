package io.github.reconciler4j.test.client;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** A kind without a definition and without namespaces. */
@Group("test.reconciler4j.io")
@Version("v1")
public class Gadget extends CustomResource<Map<String, Object>, Map<String, Object>> {

    private static final long serialVersionUID = 1L;

    static Gadget named(String name) {
        Gadget gadget = new Gadget();
        gadget.setMetadata(new ObjectMetaBuilder().withName(name).build());
        return gadget;
    }
}
