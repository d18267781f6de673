package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource that asks for a greeting. */
@Group("examples.reconciler4j.io")
@Version("v1")
public class Greeting extends CustomResource<Greeting.Spec, Void> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** The desired state. */
    public static class Spec {

        private String name = "";

        /** Return the name to greet. */
        public String getName() {
            return name;
        }

        /** Set the name to greet. */
        public void setName(String name) {
            this.name = name;
        }
    }
}
