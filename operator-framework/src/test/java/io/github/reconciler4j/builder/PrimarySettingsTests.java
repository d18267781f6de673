package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.TestCache;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrimarySettingsTests {

    private final Scheme scheme = Scheme.create();
    private final TestCache cache = new TestCache(scheme);
    private final Manager manager = mock(Manager.class);
    private final Cluster home = mock(Cluster.class);

    @BeforeEach
    void prepareManager() {
        when(manager.cache()).thenReturn(cache.cache());
        when(manager.home()).thenReturn(home);
        when(home.sibling("")).thenReturn(Optional.of(home));
        when(home.name()).thenReturn("");
        when(home.cache()).thenReturn(cache.cache());
        when(manager.options()).thenReturn(ManagerOptions.defaults().withScheme(scheme));
    }

    private static ControllerBuilder<Deployment> deployments() {
        return ControllerBuilder.of(Deployment.class);
    }

    @Test
    void settingsOfThePrimaryKindWhenInvalidAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployments().withLabelSelector("a in b"))
                .withMessageStartingWith("'labelSelector' is not valid: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployments().inNamespaces("good", "Not_Good"))
                .withMessageContaining("'namespaces'")
                .withMessageContaining("was 'Not_Good'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployments().resync(Duration.ZERO))
                .withMessage("'resync' must be positive, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployments().finalizer("plain"))
                .withMessageContaining("'finalizer' must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControllerBuilder.of(Node.class)
                        .inNamespaces("default")
                        .reconciler((node, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("nodes are cluster-scoped");
        assertThatIllegalStateException()
                .isThrownBy(() -> deployments()
                        .finalizer("a.b/c")
                        .reconciler((deployment, context) -> Result.done())
                        .build(manager))
                .withMessageContaining("the finalizer 'a.b/c' but no cleaner");
    }

    @Test
    void requiredPermissionsWhenThereIsACleanerAndAnErrorStatusHandlerIncludeTheirs() {
        Controller<Request> controller = deployments()
                .inNamespaces("one", "two")
                .reconciler((deployment, context) -> Result.done())
                .cleaner((deployment, context) -> CleanupResult.done())
                .errorStatusHandler((deployment, error, context) -> {})
                .build(manager);
        assertThat(controller.requiredPermissions())
                .contains(
                        RequiredPermission.on(Deployment.class, "get", "patch").inNamespace("one"),
                        RequiredPermission.on(Deployment.class, "get", "patch").inNamespace("two"),
                        RequiredPermission.on("apps", "deployments/status", "patch")
                                .inNamespace("one"));
    }

    @Group("example.com")
    @Version("v1")
    static class Custom extends CustomResource<Void, Void> {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void reconcileOnIsAnyChangeForBuiltInKindsAndSpecOrMetadataForCustomResources() {
        assertThat(reconcileOn(Kind.of(Deployment.class))).isEqualTo(ReconcileOn.ANY_CHANGE);
        assertThat(reconcileOn(Kind.of(Custom.class))).isEqualTo(ReconcileOn.SPEC_OR_METADATA);
        assertThat(reconcileOn(Kind.of("apps/v1", "Deployment"))).isEqualTo(ReconcileOn.ANY_CHANGE);
        assertThat(reconcileOn(Kind.of("example.com/v1", "Widget"))).isEqualTo(ReconcileOn.SPEC_OR_METADATA);
    }

    private static ReconcileOn reconcileOn(Kind<? extends HasMetadata> kind) {
        return new Primary<>(kind).defaultReconcileOn();
    }
}
