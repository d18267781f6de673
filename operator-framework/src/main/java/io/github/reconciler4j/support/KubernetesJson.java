package io.github.reconciler4j.support;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;

/**
 * The mapper between Kubernetes objects and JSON. This is the only place that creates one, so that a new major version of
 * Jackson or fabric8 changes no signature.
 *
 * @since 0.1.0
 */
public final class KubernetesJson {

    private KubernetesJson() {}

    /**
     * Return the mapper, which must not be reconfigured. It ignores fields that a class does not have, since servers may know
     * more fields than this program. The first call creates it, which takes time.
     */
    public static ObjectMapper mapper() {
        return Holder.MAPPER;
    }

    /**
     * Read JSON as a tree, without the mapper for objects, whose creation takes time.
     *
     * @throws IOException if it is not JSON
     */
    public static JsonNode readTree(byte[] json) throws IOException {
        return TreeHolder.MAPPER.readTree(json);
    }

    /** Knows no modules. */
    private static final class TreeHolder {

        private static final ObjectMapper MAPPER = new ObjectMapper();
    }

    /** Delays the creation: a process that only watches headers never needs the mapper. */
    private static final class Holder {

        private static final ObjectMapper MAPPER = create();

        private static ObjectMapper create() {
            ObjectMapper mapper = new ObjectMapper();
            new KubernetesSerialization(mapper, false);
            mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
            return mapper;
        }
    }
}
