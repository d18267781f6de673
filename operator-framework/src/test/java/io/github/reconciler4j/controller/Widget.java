package io.github.reconciler4j.controller;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;

/** A custom resource with conditions, whose definition lets in more than its class can read. */
@Group("controller.test.reconciler4j.io")
@Version("v1")
public class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** Its CustomResourceDefinition. */
    static final String CRD = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.controller.test.reconciler4j.io}
            spec:
              group: controller.test.reconciler4j.io
              names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                      status: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

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
