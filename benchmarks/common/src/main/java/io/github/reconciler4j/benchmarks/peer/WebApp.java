package io.github.reconciler4j.benchmarks.peer;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;

/** The custom resource of the works, as programs with fabric8 declare theirs. */
@SuppressWarnings("NullAway.Init") // Jackson fills it
@Group("apps.example.io")
@Version("v1")
public class WebApp extends CustomResource<WebApp.Spec, WebApp.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** What is wanted. */
    public static class Spec {
        /** The image. */
        public String image;
        /** How many. */
        public Integer replicas;
        /** Where it is reached. */
        public String host;
        /** Its environment. */
        public List<Map<String, String>> env;
        /** Its files. */
        public Map<String, String> files;
    }

    /** What is. */
    public static class Status {
        /** The generation of the specification this is about. */
        public Long observedGeneration;
        /** How many. */
        public Integer replicas;
        /** Conditions. */
        public List<Map<String, Object>> conditions;
    }
}
