package io.github.reconciler4j.recorder;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import org.jspecify.annotations.Nullable;

/** What an event needs to know of an object. Immutable. */
record ObjectRef(String apiVersion, String kind, String namespace, String name, String uid, String resourceVersion) {

    static ObjectRef of(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        return new ObjectRef(
                orEmpty(object.getApiVersion()),
                orEmpty(object.getKind()),
                orEmpty(metadata.getNamespace()),
                orEmpty(metadata.getName()),
                orEmpty(metadata.getUid()),
                orEmpty(metadata.getResourceVersion()));
    }

    /** The same object whatever its version. */
    ObjectRef withoutVersion() {
        return new ObjectRef(apiVersion, kind, namespace, name, uid, "");
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
