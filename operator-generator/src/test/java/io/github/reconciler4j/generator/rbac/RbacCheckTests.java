package io.github.reconciler4j.generator.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RbacCheckTests {

    private static final String ROLES = """
            kind: ClusterRole
            metadata: {name: a}
            rules:
            - {apiGroups: [apps], resources: [deployments], verbs: [get, patch]}
            - {apiGroups: [""], resources: [secrets], resourceNames: [one], verbs: [get]}
            - {apiGroups: [example.com], resources: [things/finalizers], verbs: [update]}
            - {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions/status], verbs: [patch]}
            ---
            kind: Role
            metadata: {name: b, namespace: operators}
            rules:
            - {apiGroups: [""], resources: [configmaps], verbs: ["*"]}
            - {apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [a], verbs: [update]}
            ---
            kind: RoleBinding
            metadata: {name: b, namespace: operators}
            """;

    private static final String WEBHOOKS = """
            kind: ClusterRole
            metadata: {name: a}
            rules:
            - {apiGroups: [""], resources: [secrets], verbs: [get]}
            - apiGroups: [admissionregistration.k8s.io]
              resources: [validatingwebhookconfigurations]
              resourceNames: [a]
              verbs: [get, patch]
            ---
            kind: Role
            metadata: {name: a-webhook, namespace: a}
            rules:
            - {apiGroups: [""], resources: [secrets], verbs: [create]}
            - {apiGroups: [""], resources: [secrets], resourceNames: [a-webhook-ca], verbs: [get, update]}
            """;

    @TempDir
    private Path folder;

    private RbacCheck check(String... requests) throws IOException {
        return checkRoles(ROLES, requests);
    }

    private RbacCheck checkRoles(String roles, String... requests) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String request : requests) {
            String[] parts = request.split(" ");
            String[] object = parts[3].split("/", 2);
            text.append(
                    "- {verb: \"%s\", group: \"%s\", resource: \"%s\", namespace: \"%s\", name: \"%s\", test: \"T#m\"}\n"
                            .formatted(parts[0], parts[1].replace("core", ""), parts[2], object[0], object[1]));
        }
        Files.createDirectories(folder.resolve("requests"));
        Files.writeString(folder.resolve("requests/T.yaml"), text);
        return RbacCheck.read(Files.writeString(folder.resolve("rbac.yaml"), roles), folder.resolve("requests"));
    }

    @Test
    void requestsWhenGrantedAreNotMissing() throws IOException {
        assertThat(check(
                                "get apps deployments a/b",
                                "get core secrets a/one",
                                "list core configmaps operators/",
                                "update coordination.k8s.io leases elsewhere/other")
                        .missing())
                .isEmpty();
    }

    @Test
    void requestWhenNotGrantedIsNamedWithItsTestAndThePermission() throws IOException {
        assertThat(check("patch apps deployments/status a/b").missing())
                .containsExactly(
                        "no rule grants 'patch deployments.apps/status', which T#m needs"
                                + " (patch deployments.apps/status a/b): declare"
                                + " @Permission(group = \"apps\", resources = \"deployments/status\", verbs = \"patch\") (R4J-732)");
        assertThat(check("get core secrets a/two", "get core configmaps a/b").missing())
                .hasSize(2);
    }

    @Test
    void rightsWhenNoTestNeedsThemAreUnused() throws IOException {
        assertThat(check("get apps deployments a/b").unused())
                .containsExactly(
                        "no test has needed get on secrets 'one'",
                        "no test has needed patch on deployments.apps",
                        "no test has needed * on configmaps");
        assertThat(check("get coordination.k8s.io leases a/b").unused())
                .contains("no test has needed update on leases.coordination.k8s.io 'a'");
    }

    @Test
    void rightsToReadWhatIsWatchedAreUsed() throws IOException {
        String roles = """
                kind: ClusterRole
                rules:
                - {apiGroups: [apps], resources: [deployments], verbs: [get, list, patch, watch]}
                """;

        assertThat(checkRoles(roles, "watch apps deployments /").unused())
                .containsExactly("no test has needed patch on deployments.apps");
        assertThat(checkRoles(roles, "get apps deployments a/b").unused())
                .containsExactly("no test has needed list, patch, watch on deployments.apps");
        assertThat(checkRoles(roles, "create apps deployments a/b").unused())
                .containsExactly("no test has needed get, list, patch, watch on deployments.apps");
    }

    /** The chart grants events about Leases in the namespace of the release, and tests have their Leases elsewhere. */
    @Test
    void eventsAboutLeasesWhenInAnyNamespaceAreGrantedAndNeverUnused() throws IOException {
        String roles = """
                kind: Role
                metadata: {name: a-leader-election, namespace: a}
                rules:
                - {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
                """;

        RbacCheck check = checkRoles(roles, "create events.k8s.io events b/");
        assertThat(check.missing()).isEmpty();
        assertThat(check.unused()).isEmpty();
        assertThat(checkRoles("kind: ClusterRole\nrules: []\n", "create events.k8s.io events b/")
                        .missing())
                .hasSize(1);
        assertThat(checkRoles(
                                roles.replace("Role", "ClusterRole").replace(", namespace: a", ""),
                                "create events.k8s.io events b/")
                        .unused())
                .isEmpty();
    }

    @Test
    void rightsOfShardsWhenNoTestHasShardingAreUsed() throws IOException {
        String roles = """
                kind: Role
                metadata: {name: a-sharding, namespace: a}
                rules:
                - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [list, patch]}
                """;

        assertThat(checkRoles(roles, "update coordination.k8s.io leases a/b").unused())
                .isEmpty();
        assertThat(checkRoles(roles, "list coordination.k8s.io leases a/").unused())
                .containsExactly("no test has needed patch on leases.coordination.k8s.io");
    }

    @Test
    void requestForAShardWhenOnlyElectionsAreGrantedIsMissing() throws IOException {
        String election = """
                kind: Role
                metadata: {name: a-leader-election, namespace: a}
                rules:
                - {apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [a], verbs: [get]}
                """;

        assertThat(checkRoles(election, "get coordination.k8s.io leases a/b").missing())
                .isEmpty();
        assertThat(checkRoles(election, "get coordination.k8s.io leases a/b-shard-01")
                        .missing())
                .hasSize(1);
        assertThat(checkRoles(election, "get coordination.k8s.io leases a/b-replica-c")
                        .missing())
                .hasSize(1);
        String sharding = election.replace("resourceNames: [a], ", "").replace("leader-election", "sharding");
        assertThat(checkRoles(sharding, "get coordination.k8s.io leases a/b-shard-01")
                        .missing())
                .isEmpty();
        assertThat(checkRoles(sharding, "get coordination.k8s.io leases a/b").missing())
                .hasSize(1);
    }

    @Test
    void webhookConfigurationsWhenTestsCreateThemAreNotMissing() throws IOException {
        String group = "admissionregistration.k8s.io validatingwebhookconfigurations";

        assertThat(checkRoles(
                                WEBHOOKS,
                                "create " + group + " /a",
                                "patch " + group + " /a",
                                "get " + group + " /operator-test-1")
                        .missing())
                .isEmpty();
        assertThat(checkRoles(WEBHOOKS, "patch " + group + " /b", "update " + group + " /a")
                        .missing())
                .hasSize(2);
    }

    @Test
    void rightsOfCertificatesWhenNoAuthorityIsReplacedAreUsed() throws IOException {
        RbacCheck check = checkRoles(
                WEBHOOKS,
                "get admissionregistration.k8s.io validatingwebhookconfigurations /a",
                "patch admissionregistration.k8s.io validatingwebhookconfigurations /a",
                "get core secrets a/a-webhook-ca");

        assertThat(check.unused()).containsExactly("no test has needed create on secrets");
    }

    @Test
    void testWhenAnotherRightGrantsItsRequestsDoesNotNeedARight() throws IOException {
        String own = "get core secrets a/a-webhook-ca";
        Right all = new Right("", "secrets", "", "get");

        assertThat(checkRoles(WEBHOOKS, own).testsThatNeed(all)).isEmpty();
        assertThat(checkRoles(WEBHOOKS, own, "get core secrets b/other").testsThatNeed(all))
                .containsExactly("T#m");
    }

    @Test
    void recordsWhenMissingSaysWhoWritesThem() throws IOException {
        Path roles = Files.writeString(folder.resolve("rbac.yaml"), ROLES);

        assertThatThrownBy(() -> RbacCheck.read(roles, folder.resolve("none")))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("@OperatorTest");
        assertThatThrownBy(() -> RbacCheck.read(folder.resolve("none"), folder))
                .hasMessageContaining("generate it first");
    }
}
