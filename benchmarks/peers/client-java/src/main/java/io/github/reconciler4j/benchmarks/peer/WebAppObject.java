package io.github.reconciler4j.benchmarks.peer;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ListMeta;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The custom resource of the works, as programs with client-java declare theirs. */
@SuppressWarnings("NullAway.Init") // Gson fills it
public final class WebAppObject implements KubernetesObject {

    /** The API version. */
    public String apiVersion;
    /** The kind. */
    public String kind;
    /** The metadata. */
    public V1ObjectMeta metadata;
    /** What is wanted. */
    public Spec spec;
    /** What is. */
    public @Nullable Status status;

    @Override
    public V1ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public String getKind() {
        return kind;
    }

    /** What is wanted. */
    public static final class Spec {
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
    public static final class Status {
        /** The generation of the specification this is about. */
        public Long observedGeneration;
        /** How many. */
        public Integer replicas;
        /** Conditions. */
        public List<Map<String, Object>> conditions;
    }

    /** A list of them. */
    public static final class Items implements KubernetesListObject {

        /** The API version. */
        public String apiVersion;
        /** The kind. */
        public String kind;
        /** The metadata. */
        public V1ListMeta metadata;
        /** The objects. */
        public List<WebAppObject> items;

        @Override
        public V1ListMeta getMetadata() {
            return metadata;
        }

        @Override
        public List<WebAppObject> getItems() {
            return items;
        }

        @Override
        public String getApiVersion() {
            return apiVersion;
        }

        @Override
        public String getKind() {
            return kind;
        }
    }
}
