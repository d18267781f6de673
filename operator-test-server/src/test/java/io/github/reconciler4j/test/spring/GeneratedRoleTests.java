package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.TestRuns;
import io.github.reconciler4j.test.cluster.TestCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What tests under a generated role do and record; the operator is a client that reads and creates ConfigMaps. */
class GeneratedRoleTests {
    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: tiny}
            rules:
            - {apiGroups: [""], resources: [configmaps], verbs: [%s]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: tiny}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tiny}
            subjects: [{kind: ServiceAccount, name: tiny, namespace: tiny}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: tiny-leader-election, namespace: tiny}
            rules:
            - {apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [tiny], verbs: [get, update]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: tiny-sharding, namespace: tiny}
            rules:
            - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, update, patch]}
            """;

    private static final String ACCOUNT = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: tiny-components, namespace: tiny}
            rules:
            - {apiGroups: [""], resources: [serviceaccounts], resourceNames: [maps], verbs: [impersonate]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: tiny-maps}
            rules:
            - {apiGroups: [""], resources: [configmaps], verbs: [create]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: tiny-maps}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tiny-maps}
            subjects: [{kind: ServiceAccount, name: maps, namespace: tiny}]
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void recordElsewhere() {
        System.setProperty(RequestRecord.PROPERTY, folder.toString());
    }

    @AfterEach
    void forgetSettings() {
        System.clearProperty(RequestRecord.PROPERTY);
        System.clearProperty(OperatorRoles.PROPERTY);
    }

    private TestExecutionSummary runUnder(String verbs) throws IOException {
        Path roles = Files.writeString(folder.resolve("rbac"), ROLES.formatted(verbs));
        System.setProperty(OperatorRoles.PROPERTY, roles.toString());
        return TestRuns.run(Operator.class);
    }

    @Test
    void testWhenTheRoleSufficesSucceeds() throws IOException {
        assertThat(runUnder("get, create").getFailures()).isEmpty();
    }

    @Test
    void testWhenTheRoleLacksARightFailsWithThePermissionToDeclare() throws IOException {
        List<TestExecutionSummary.Failure> failures = runUnder("get").getFailures();

        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.getTestIdentifier().getDisplayName()).startsWith("creates");
            assertThat(failure.getException())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("@Permission(resources = \"configmaps\", verbs = \"create\")")
                    .hasMessageContaining("create configmaps default/");
        });
    }

    /** The permission would not help. */
    @Test
    void testWhenAPolicyDeniesAGrantedRequestFailsWithThePolicyAsItsCause() throws IOException {
        Path roles = Files.writeString(folder.resolve("rbac"), ROLES.formatted("get, create"));
        System.setProperty(OperatorRoles.PROPERTY, roles.toString());

        assertThat(TestRuns.run(Denied.class).getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .hasMessageContaining("an admission policy or plug-in denied it (R4J-810)")
                        .hasMessageContaining("create configmaps default/")
                        .hasMessageNotContaining("@Permission"));
    }

    @Test
    void accountWhenTheRolesBindOneHasItsRightsAndTheOperatorHasNot() throws IOException {
        Path roles = Files.writeString(folder.resolve("rbac"), ROLES.formatted("get") + ACCOUNT);
        System.setProperty(OperatorRoles.PROPERTY, roles.toString());

        assertThat(TestRuns.run(WithAccount.class).getFailures()).isEmpty();
        assertThat(Files.readString(folder.resolve(WithAccount.class.getName() + ".yaml")))
                .contains("verb: \"create\"\n  group: \"\"\n  resource: \"configmaps\"");
    }

    @Test
    void testWhenNoRoleIsAskedForMayDoEverything() {
        assertThat(TestRuns.run(Operator.class).getFailures()).isEmpty();
    }

    @Test
    void requestsWhenTheOperatorSendsThemAreRecordedWithTheTest() throws IOException {
        TestRuns.run(Operator.class);

        assertThat(Files.readString(folder.resolve(Operator.class.getName() + ".yaml")))
                .contains("test: \"" + Operator.class.getName() + "#creates\"")
                .contains("verb: \"create\"\n  group: \"\"\n  resource: \"configmaps\"\n  namespace: \"default\"")
                .doesNotContain("secrets");
    }

    @Test
    void leaseWhenTheRoleNamesItIsTheDefaultOfTheApplication() throws IOException {
        assertThat(runUnder("get, create").getTestsSucceededCount()).isEqualTo(3);
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        KubernetesClient operator(Config config) {
            return new KubernetesClientBuilder().withConfig(config).build();
        }
    }

    @Disabled("run by the tests above")
    @OperatorTest(classes = Application.class)
    static class Operator {
        @Test
        void creates(@Autowired KubernetesClient operator, TestCluster cluster) {
            cluster.client().secrets().inNamespace("default").list();
            try {
                operator.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("a")
                                .withNamespace("default")
                                .endMetadata()
                                .build())
                        .create();
            } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(403);
            }
        }

        @Test
        void gets(@Autowired KubernetesClient operator) {
            operator.configMaps().inNamespace("default").withName("b").get();
        }

        @Test
        void knowsTheLease(@Autowired Environment environment) {
            String expected = System.getProperty(OperatorRoles.PROPERTY) == null ? null : "tiny";
            assertThat(environment.getProperty("reconciler4j.leader-election.name"))
                    .isEqualTo(expected);
            assertThat(environment.getProperty("reconciler4j.leader-election.namespace"))
                    .isEqualTo(expected);
            assertThat(environment.getProperty("reconciler4j.sharding.lease-namespace"))
                    .isEqualTo(expected);
        }
    }

    @Disabled("run by a test above")
    @OperatorTest(classes = Application.class)
    static class Denied {

        private static final String POLICY = """
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: none}
                spec:
                  failurePolicy: Fail
                  matchConstraints:
                    resourceRules:
                    - {apiGroups: [""], apiVersions: ["*"], operations: [CREATE], resources: [configmaps]}
                  validations:
                  - {expression: "object.metadata.name != 'denied'", reason: Forbidden}
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: none}
                spec: {policyName: none, validationActions: [Deny]}
                """;

        @Test
        void creates(@Autowired KubernetesClient operator, TestCluster cluster) {
            cluster.client()
                    .load(new ByteArrayInputStream(POLICY.getBytes(StandardCharsets.UTF_8)))
                    .create();
            assertThatThrownBy(() -> operator.resource(new ConfigMapBuilder()
                                    .withNewMetadata()
                                    .withName("denied")
                                    .withNamespace("default")
                                    .endMetadata()
                                    .build())
                            .create())
                    .hasMessageContaining("denied request");
        }
    }

    @Disabled("run by a test above")
    @OperatorTest(classes = Application.class)
    static class WithAccount {
        @Test
        void writes(@Autowired Config config) {
            assertThat(config.getNamespace()).isEqualTo("tiny");
            create(new ConfigBuilder(config)
                    .withImpersonateUsername("system:serviceaccount:tiny:maps")
                    .build());
        }

        private static void create(Config config) {
            try (KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName("a")
                                .withNamespace("default")
                                .endMetadata()
                                .build())
                        .create();
            }
        }
    }
}
