package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.fixtures.Definitions;
import java.math.BigInteger;

/** A custom resource with a status and a scale subresource. */
@Group("client.test.reconciler4j.io")
@Version("v1")
public class Gadget extends CustomResource<Gadget.Spec, Gadget.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** Its CustomResourceDefinition. */
    static final String CRD = Definitions.of(
            "client.test.reconciler4j.io",
            "Gadget",
            "{status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}",
            """
                    spec:
                      type: object
                      properties:
                        replicas:
                          type: integer
                          minimum: 0
                          maximum: 100
                          x-kubernetes-validations: [{rule: "self != 13", message: "must not be: unlucky"}]
                        secret: {type: string, maxLength: 10}
                        big: {type: integer, format: int64}
                        items: {type: array, items: {type: string}}
                    status:
                      type: object
                      properties:
                        replicas: {type: integer}
                        phase: {type: string}
                    """);

    /** What is wanted. */
    public static class Spec {
        public Integer replicas;
        public String secret;
        public BigInteger big;
        public java.util.List<String> items;
    }

    /** What is. */
    public static class Status {
        public Integer replicas;
        public String phase;
    }
}
