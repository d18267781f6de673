package io.github.reconciler4j.test.server.internal.lifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.rest.ActiveWatches;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.simulation.Simulators;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.ResourceId;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.simulation.Simulator;
import java.util.Set;

/**
 * Everything the server does by itself after writes. Closing it ends its thread.
 *
 * @since 0.1.0
 */
public final class Lifecycle implements AutoCloseable {
    private final ObjectAccess access;
    private final Background background = new Background();
    private final Namespaces namespaces;
    private final CustomDefinitions definitions;
    private final GarbageCollector collector;

    /**
     * Watches over the objects.
     *
     * @param watches the open watches; those of a custom resource end with its definition
     * @param collectsGarbage whether objects without owners are deleted
     * @param simulators which work of controllers and nodes is done, too
     */
    public Lifecycle(ObjectAccess access, ActiveWatches watches, boolean collectsGarbage, Set<Simulator> simulators) {
        this.access = access;
        namespaces = new Namespaces(access, background);
        definitions = new CustomDefinitions(access, watches, background);
        collector = new GarbageCollector(access, background);
        access.addHook(definitions);
        access.addHook(namespaces);
        if (collectsGarbage) {
            access.addHook(collector);
        }
        if (!simulators.isEmpty()) {
            access.addHook(new Simulators(simulators, access, background::run));
        }
    }

    /** Makes what every new cluster has. */
    public void begin() {
        namespaces.createFirst();
    }

    /** Takes up the objects that are in the store already. */
    public void resume() {
        ResourceId crds = new ResourceId("apiextensions.k8s.io", "customresourcedefinitions");
        access.store().list(crds, ListQuery.all("")).items().forEach(object -> definitions.restore(object.tree()));
        for (ResourceId resource : access.store().resources()) {
            ResourceType type = access.registry().findAny(resource.group(), resource.plural());
            if (type != null) {
                for (StoredObject object :
                        access.store().list(resource, ListQuery.all("")).items()) {
                    ObjectNode tree = object.tree();
                    collector.restore(type, tree);
                }
            }
        }
    }

    /** The thread in which the server works for itself. */
    public Background background() {
        return background;
    }

    @Override
    public void close() {
        background.close();
    }
}
