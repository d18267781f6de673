package io.github.reconciler4j.test.server.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.PodLogs;
import io.github.reconciler4j.test.server.internal.auth.Authentication;
import io.github.reconciler4j.test.server.internal.auth.Authorizer;
import io.github.reconciler4j.test.server.internal.auth.BootstrapRoles;
import io.github.reconciler4j.test.server.internal.auth.Rbac;
import io.github.reconciler4j.test.server.internal.auth.Tokens;
import io.github.reconciler4j.test.server.internal.auth.User;
import io.github.reconciler4j.test.server.internal.control.FaultRules;
import io.github.reconciler4j.test.server.internal.control.RequestRecorder;
import io.github.reconciler4j.test.server.internal.dispatch.ApiServer;
import io.github.reconciler4j.test.server.internal.dispatch.ServerVersion;
import io.github.reconciler4j.test.server.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.registry.ServedVersions;
import io.github.reconciler4j.test.server.internal.rest.ActiveWatches;
import io.github.reconciler4j.test.server.internal.rest.ObjectAccess;
import io.github.reconciler4j.test.server.internal.rest.ResourceHandler;
import io.github.reconciler4j.test.server.internal.rest.WriteContext;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import io.github.reconciler4j.test.server.internal.webhook.WebhookCaller;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** The objects of a server and their request handlers, independent of the transport. */
final class Cluster implements AutoCloseable {
    private static final String RBAC = "rbac.authorization.k8s.io";

    /** The parts of a server that outlive its objects. */
    record Shared(
            Tokens tokens,
            Authentication authentication,
            FaultRules faults,
            RequestRecorder log,
            ChangeObservers observers,
            AtomicReference<PodLogs> logs,
            String adminToken) {

        static Shared create(InMemoryServerBuilder settings) {
            Tokens tokens = new Tokens(settings.clock);
            User admin = new User("admin", "", List.of(User.MASTERS, User.AUTHENTICATED));
            Authentication authentication = new Authentication(tokens, settings.withoutCredentials(admin));
            return new Shared(
                    tokens,
                    authentication,
                    new FaultRules(),
                    new RequestRecorder(settings.requestLogSize),
                    new ChangeObservers(),
                    new AtomicReference<>((namespace, pod, container) -> ""),
                    tokens.issue(admin));
        }
    }

    final VersionedStore store;
    private final WebhookCaller webhooks;
    final ObjectAccess access;
    final ActiveWatches watches = new ActiveWatches();
    final Lifecycle lifecycle;
    final ApiServer server;

    Cluster(InMemoryServerBuilder settings, Shared shared) {
        store = new VersionedStore(settings.historySize, shared.observers()::notify);
        Registry registry = new Registry(ServedVersions.of(settings.minorVersion));
        webhooks = new WebhookCaller(new ServiceLookup(store));
        access = new ObjectAccess(store, registry, settings.clock, webhooks);
        lifecycle = new Lifecycle(
                access,
                watches,
                new Lifecycle.Settings(
                        settings.garbageCollection, settings.namespaceDeletion, settings.namespaceDeletionDelay));
        if (settings.rbac) {
            create("clusterroles", BootstrapRoles.roles());
            create("clusterrolebindings", BootstrapRoles.bindings());
        }
        Authorizer authorizer = settings.rbac ? new Rbac(store) : request -> true;
        ResourceHandler resources = new ResourceHandler(
                access,
                new ResourceHandler.Dependencies(
                        settings.clock,
                        authorizer,
                        shared.tokens(),
                        shared.faults(),
                        watches,
                        settings.bookmarkInterval,
                        shared.logs()::get));
        server = new ApiServer(new ApiServer.Parts(
                registry,
                shared.authentication(),
                authorizer,
                resources,
                shared.faults(),
                shared.log(),
                settings.clock,
                new ServerVersion(1, settings.minorVersion, 0)));
    }

    private void create(String plural, List<ObjectNode> objects) {
        ResourceType type = Objects.requireNonNull(access.registry().find(RBAC, "v1", plural));
        objects.forEach(object -> access.create(type, "", object, WriteContext.internal("kube-apiserver")));
    }

    @Override
    public void close() {
        lifecycle.close();
        access.admission().close();
        webhooks.close();
    }
}
