package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.manager.permission.PermissionReport.Missing;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.List;
import org.junit.jupiter.api.Test;

class PermissionReportTests {

    private static final String ROLES = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: operator
            rules:
            - apiGroups:
              - apps
              resources:
              - deployments
              verbs:
              - list
              - patch
              - watch
            - apiGroups:
              - apps
              resources:
              - deployments/scale
              verbs:
              - get
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: operator
              namespace: site
            rules:
            - apiGroups:
              - ''
              resources:
              - secrets
              verbs:
              - list
            - apiGroups:
              - coordination.k8s.io
              resourceNames:
              - lock
              resources:
              - leases
              verbs:
              - get
            """;

    private final PermissionReport report = new PermissionReport(
            List.of(
                    new Missing("web", "", RequiredPermission.on("apps", "deployments", "watch", "list")),
                    new Missing("pages", "", RequiredPermission.on("apps", "deployments", "patch")),
                    new Missing("pages", "", RequiredPermission.on("apps", "deployments/scale", "get")),
                    new Missing(
                            "pages",
                            "",
                            RequiredPermission.onCore("secrets", "list").inNamespace("site")),
                    new Missing(
                            "leader election",
                            "",
                            RequiredPermission.on("coordination.k8s.io", "leases", "get")
                                    .inNamespace("site")
                                    .named("lock")),
                    new Missing("mirror", "east", RequiredPermission.watching(ConfigMap.class))),
            "");

    @Test
    void tableWhenPermissionsAreMissingHasARowForEach() {
        assertThat(report.isComplete()).isFalse();
        assertThat(report.table().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "COMPONENT RESOURCE NAMESPACE MISSING VERBS",
                        "web deployments.apps (all) list, watch",
                        "pages deployments.apps (all) patch",
                        "pages deployments.apps/scale (all) get",
                        "pages secrets site list",
                        "leader election leases.coordination.k8s.io lock site get",
                        "mirror configmaps on east (all) list, watch");
    }

    @Test
    void yamlWhenPermissionsAreMissingHasOneRolePerScopeWithMergedRules() {
        assertThat(report.yaml("operator")).isEqualTo(ROLES);
        assertThat(report.clusters()).containsExactly("", "east");
        assertThat(report.yaml("operator", "east", ""))
                .contains("- configmaps")
                .doesNotContain("deployments", "kind: Role");
    }

    @Test
    void permissionWhenResourceOrVerbsAreMissingIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> RequiredPermission.onCore("", "get"));
        assertThatIllegalArgumentException().isThrownBy(() -> RequiredPermission.onCore("pods"));
    }

    @Test
    void permissionWhenMadeOfAClassNamesItsResource() {
        RequiredPermission permission = RequiredPermission.on(Deployment.class, "patch", "get")
                .subresource("status")
                .inNamespace("shop")
                .named("web");
        assertThat(permission.group()).isEqualTo("apps");
        assertThat(permission.resource()).isEqualTo("deployments/status");
        assertThat(permission).hasToString("get, patch on deployments.apps/status web in shop");
        assertThat(permission)
                .isEqualTo(RequiredPermission.on("apps", "deployments/status", "get", "patch")
                        .named("web")
                        .inNamespace("shop"));
    }
}
