package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.manager.PermissionReport.Missing;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PermissionReportTests {

    private final PermissionReport report = new PermissionReport(
            List.of(
                    new Missing("web", new RequiredPermission("apps", "deployments", Set.of("watch", "list"), "")),
                    new Missing("pages", new RequiredPermission("apps", "deployments", Set.of("patch"), "")),
                    new Missing("pages", new RequiredPermission("apps", "deployments/scale", Set.of("get"), "")),
                    new Missing("pages", new RequiredPermission("", "secrets", Set.of("list"), "site")),
                    new Missing(
                            "leader election",
                            new RequiredPermission("coordination.k8s.io", "leases", Set.of("get"), "site")
                                    .forName("lock"))),
            "");

    @Test
    void tableWhenRightsAreMissingHasARowForEach() {
        assertThat(report.isComplete()).isFalse();
        assertThat(report.table().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "COMPONENT RESOURCE NAMESPACE MISSING VERBS",
                        "web deployments.apps (all) list, watch",
                        "pages deployments.apps (all) patch",
                        "pages deployments.apps/scale (all) get",
                        "pages secrets site list",
                        "leader election leases.coordination.k8s.io lock site get");
    }

    @Test
    void yamlWhenRightsAreMissingHasOneRolePerScopeWithMergedRules() {
        assertThat(report.yaml("operator")).isEqualTo("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: operator
                rules:
                - apiGroups: ["apps"]
                  resources: ["deployments"]
                  verbs: ["list", "patch", "watch"]
                - apiGroups: ["apps"]
                  resources: ["deployments/scale"]
                  verbs: ["get"]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata:
                  name: operator
                  namespace: site
                rules:
                - apiGroups: [""]
                  resources: ["secrets"]
                  verbs: ["list"]
                - apiGroups: ["coordination.k8s.io"]
                  resources: ["leases"]
                  resourceNames: ["lock"]
                  verbs: ["get"]
                """);
    }

    @Test
    void needWhenEmptyIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RequiredPermission("", "", Set.of("get"), ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new RequiredPermission("", "pods", Set.of(), ""));
    }
}
