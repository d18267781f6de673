package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import java.util.List;

/** The fields that have no owner. */
final class StripSet {

    /** Version, kind, and the metadata that the server itself fills in. */
    static final FieldSet FIELDS = ServerSideApply.ignoredFields(List.of(
            List.of("apiVersion"),
            List.of("kind"),
            List.of("metadata"),
            List.of("metadata", "name"),
            List.of("metadata", "namespace"),
            List.of("metadata", "creationTimestamp"),
            List.of("metadata", "selfLink"),
            List.of("metadata", "uid"),
            List.of("metadata", "clusterName"),
            List.of("metadata", "generation"),
            List.of("metadata", "managedFields"),
            List.of("metadata", "resourceVersion")));

    private StripSet() {}
}
