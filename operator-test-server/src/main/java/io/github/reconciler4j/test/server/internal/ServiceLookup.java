package io.github.reconciler4j.test.server.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller.ServiceAddresses;
import io.github.reconciler4j.test.server.internal.webhook.WebhookFailure;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the addresses of Services: of those with an external name, and by EndpointSlices. Safe for use by multiple threads. */
final class ServiceLookup implements ServiceAddresses {
    private static final ResourceId SERVICES = new ResourceId("", "services");
    private static final ResourceId SLICES = new ResourceId("discovery.k8s.io", "endpointslices");

    private final VersionedStore store;

    ServiceLookup(VersionedStore store) {
        this.store = store;
    }

    @Override
    public InetSocketAddress find(String namespace, String name, int port) throws WebhookFailure {
        StoredObject stored = store.get(SERVICES, new ObjectName(namespace, name));
        if (stored == null) {
            throw new WebhookFailure("service " + FieldError.quoted(name) + " not found");
        }
        JsonNode spec = stored.tree().path("spec");
        if (spec.path("type").asText().equals("ExternalName")) {
            return new InetSocketAddress(spec.path("externalName").asText(), port);
        }
        String portName = portName(spec, port, name);
        for (StoredObject slice : store.list(SLICES, ListQuery.all(namespace)).items()) {
            boolean ofService = name.equals(slice.labels().get("kubernetes.io/service-name"));
            InetSocketAddress address = ofService ? address(slice.tree(), portName) : null;
            if (address != null) {
                return address;
            }
        }
        throw new WebhookFailure("no endpoints available for service " + FieldError.quoted(name));
    }

    private static String portName(JsonNode spec, int port, String name) throws WebhookFailure {
        for (JsonNode one : spec.path("ports")) {
            if (one.path("port").asInt() == port) {
                return one.path("name").asText();
            }
        }
        throw new WebhookFailure("no service port " + port + " found for service " + FieldError.quoted(name));
    }

    private static @Nullable InetSocketAddress address(JsonNode slice, String portName) {
        for (JsonNode port : slice.path("ports")) {
            if (!port.path("name").asText().equals(portName)) {
                continue;
            }
            for (JsonNode endpoint : slice.path("endpoints")) {
                boolean ready = endpoint.path("conditions").path("ready").asBoolean(true);
                List<String> addresses = Json.texts(endpoint, "addresses");
                if (ready && !addresses.isEmpty()) {
                    return new InetSocketAddress(
                            addresses.get(0), port.path("port").asInt());
                }
            }
        }
        return null;
    }
}
