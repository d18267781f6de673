package io.github.reconciler4j.sample;

import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A {@link WebApp} in its former version, which is still served. {@link WebAppConverter} converts it.
 *
 * @since 0.1.0
 */
@Group(WebApp.GROUP)
@Version(value = "v1beta1", storage = false)
@Kind("WebApp")
@Singular("webapp")
@Plural("webapps")
@ShortNames("wa")
@Categories("all")
public class WebAppV1Beta1 extends CustomResource<WebAppV1Beta1.Spec, WebAppStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** Create an object without name, spec and status. */
    public WebAppV1Beta1() {}

    /**
     * The desired state.
     *
     * @since 0.1.0
     */
    public static class Spec {

        /** Container image to run. */
        @Required
        @Size(min = 1, max = 1024)
        private String image = "";

        /** Number of pods to run, which v1 calls replicas. Defaults to 1. */
        @SpecReplicas
        @Default("1")
        @Min(0)
        @Max(100)
        private Integer instances = 1;

        /** Port on which the application listens. Defaults to 8080. */
        @Default("8080")
        @Min(1)
        @Max(65535)
        private Integer port = 8080;

        /** Creates a spec with the defaults and no image. */
        public Spec() {}

        /** The container image. */
        public String getImage() {
            return image;
        }

        /** Sets the container image. */
        public void setImage(String image) {
            this.image = image;
        }

        /** How many pods to run, 1 by default. */
        public Integer getInstances() {
            return instances;
        }

        /** Sets how many pods to run. */
        public void setInstances(Integer instances) {
            this.instances = instances;
        }

        /** The port the application listens on, 8080 by default. */
        public Integer getPort() {
            return port;
        }

        /** Sets the port the application listens on. */
        public void setPort(Integer port) {
            this.port = port;
        }
    }
}
