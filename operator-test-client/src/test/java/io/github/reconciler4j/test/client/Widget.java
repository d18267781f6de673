package io.github.reconciler4j.test.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** A kind whose definition is on the class path. */
@Group("test.reconciler4j.io")
@Version("v1")
public class Widget extends CustomResource<Map<String, Object>, Map<String, Object>> implements Namespaced {

    private static final long serialVersionUID = 1L;

    static Widget named(String name) {
        Widget widget = new Widget();
        widget.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName(name).build());
        return widget;
    }
}
