package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * Makes mappers that read and write Kubernetes objects as fabric8 does; never shared with an application's own.
 *
 * @since 0.1.0
 */
public final class KubernetesMapper {

    private KubernetesMapper() {}

    /** A new mapper. It skips fields a class does not have: servers may know more fields than this program does. */
    public static ObjectMapper create() {
        ObjectMapper mapper = new ObjectMapper();
        new KubernetesSerialization(mapper, false);
        mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        return mapper;
    }
}
