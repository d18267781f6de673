package io.github.reconciler4j.examples;

import io.github.reconciler4j.crd.AtLeastOneOf;
import io.github.reconciler4j.crd.AtMostOneOf;
import io.github.reconciler4j.crd.EmbeddedResource;
import io.github.reconciler4j.crd.ExactlyOneOf;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.crd.ListType;
import io.github.reconciler4j.crd.MapType;
import io.github.reconciler4j.crd.SchemaDetails;
import java.util.List;
import java.util.Map;

/** What the schema of a custom resource looks like in its classes. */
final class SchemaUse {

    private SchemaUse() {}

    /** The desired state of a shop. */
    @AtLeastOneOf({"ports", "addresses"})
    @AtMostOneOf({"replicas", "scaling"})
    static class Spec {

        @Immutable(message = "choose another shop instead")
        String region = "";

        int replicas;
        String scaling = "";

        @ListType(value = ListType.Merge.MAP, keys = "name")
        List<Port> ports = List.of();

        @SchemaDetails(example = "[10.0.0.1]")
        List<@SchemaDetails(format = "ipv4") String> addresses = List.of();

        @MapType(MapType.Merge.ATOMIC)
        Map<String, String> selector = Map.of();

        @EmbeddedResource
        Map<String, Object> template = Map.of();
    }

    /** A port with a number or a name. */
    @ExactlyOneOf({"number", "targetName"})
    static class Port {

        String name = "";
        int number;
        String targetName = "";
    }
}
