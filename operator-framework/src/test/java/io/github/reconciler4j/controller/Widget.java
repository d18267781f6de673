package io.github.reconciler4j.controller;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.fixtures.Definitions;
import java.util.ArrayList;
import java.util.List;

/** A custom resource with conditions, whose definition lets in more than its class can read. */
@Group("controller.test.reconciler4j.io")
@Version("v1")
public class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** Its CustomResourceDefinition. */
    static final String CRD = Definitions.of("controller.test.reconciler4j.io", "Widget");

    /** What is wanted. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public static class Spec {
        public Integer size;
    }

    /** What is. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public static class Status {
        public List<Condition> conditions = new ArrayList<>();
        public Integer size;
    }

    static Widget of(String namespace, String name, int size) {
        Widget widget = new Widget();
        widget.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        widget.setSpec(new Spec());
        widget.getSpec().size = size;
        return widget;
    }
}
