package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.DeleteOptions;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess.Removed;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.rest.WriteHook;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes the first namespaces, and empties and removes those that are to go. */
final class Namespaces implements WriteHook {
    private static final List<String> FIRST = List.of("default", "kube-node-lease", "kube-public", "kube-system");
    private static final WriteContext CONTEXT = WriteContext.internal("kube-controller-manager");

    private final ObjectAccess access;
    private final Background background;

    Namespaces(ObjectAccess access, Background background) {
        this.access = access;
        this.background = background;
    }

    void createFirst() {
        for (String name : FIRST) {
            ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
            ObjectNode metadata = namespace.putObject("metadata");
            metadata.put("name", name).putObject("labels").put("kubernetes.io/metadata.name", name);
            access.create(type(), "", namespace, WriteContext.internal("kube-apiserver"));
        }
    }

    private ResourceType type() {
        ResourceType type = access.registry().find("", "v1", "namespaces");
        if (type == null) {
            throw new IllegalStateException("namespaces are always served");
        }
        return type;
    }

    @Override
    public void written(ResourceType type, @Nullable ObjectNode before, @Nullable ObjectNode after) {
        if (type.is("", "namespaces")) {
            if (Json.at(after, "metadata", "deletionTimestamp") != null) {
                String name = Json.text(after, "metadata", "name");
                background.run(() -> empty(name));
            }
        } else if (after == null && type.namespaced()) {
            String name = Json.text(before, "metadata", "namespace");
            if (isTerminating(name)) {
                background.run(() -> empty(name));
            }
        }
    }

    private boolean isTerminating(String name) {
        StoredObject namespace = access.store().get(new ResourceId("", "namespaces"), new ObjectName("", name));
        return namespace != null && Json.at(namespace.tree(), "metadata", "deletionTimestamp") != null;
    }

    private void empty(String name) {
        if (!isTerminating(name)) {
            return;
        }
        NamespaceConditions conditions = new NamespaceConditions();
        for (ResourceId resource : access.store().resources()) {
            ResourceType type = access.registry().findAny(resource.group(), resource.plural());
            if (type != null && type.namespaced()) {
                empty(type, name, conditions);
            }
        }
        change(name, "status", namespace -> {
            conditions.writeTo(namespace, access.now());
            return namespace;
        });
        if (conditions.isEmpty()) {
            change(name, "finalize", namespace -> {
                Json.child(namespace, "spec").putArray("finalizers");
                return namespace;
            });
        }
    }

    private void empty(ResourceType type, String namespace, NamespaceConditions conditions) {
        for (StoredObject object :
                access.store().list(type.id(), ListQuery.all(namespace)).items()) {
            try {
                DeleteOptions options = DeleteOptions.propagating("Background");
                Removed removed = access.delete(type, object.name(), options, CONTEXT);
                if (!removed.gone()) {
                    conditions.remains(type.plural() + "." + type.group(), removed.object());
                }
            } catch (StatusException e) {
                if (e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    private void change(String name, String subresource, UnaryOperator<ObjectNode> change) {
        try {
            access.update(type(), new ObjectName("", name), subresource, change, CONTEXT);
        } catch (StatusException e) {
            if (e.code() != 404) {
                throw e;
            }
        }
    }
}
