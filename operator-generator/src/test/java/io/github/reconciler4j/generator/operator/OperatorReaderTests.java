package io.github.reconciler4j.generator.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.CrdGenerator;
import io.github.reconciler4j.generator.crd.CrdOptions;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.operator.example.ExampleOperator;
import io.github.reconciler4j.generator.policy.PolicyGeneratorTests;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class OperatorReaderTests {

    private static final Switch SECRETS = Switch.parse("secrets.enabled=example.secrets=Whether Secrets are watched.");

    private final List<String> warnings = new ArrayList<>();

    /** The operator of the example, whose runner and whose code after the run fail if they are reached. */
    public static OperatorDescription example() {
        return example(Map.of());
    }

    /** The operator of the example, whose controller writes with the service account {@code ages}. */
    public static OperatorDescription exampleWithAccount() {
        return example(Map.of("reconciler4j.controllers.age.service-account", "ages"));
    }

    private static OperatorDescription example(Map<String, String> properties) {
        return OperatorReader.ofSpring(ExampleOperator.class.getName(), properties, warning -> {})
                .read(List.of(SECRETS), definitions())
                .withPolicies(PolicyGeneratorTests.example());
    }

    /** The snapshot of an operator that watches other namespaces. */
    public static OperatorSnapshot withNamespaces(OperatorSnapshot read, List<String> namespaces) {
        return new OperatorSnapshot(
                read.name(),
                namespaces,
                read.permissions(),
                read.leases(),
                read.web(),
                read.webhooks(),
                read.sharding());
    }

    /** The snapshot of an operator whose replicas share shards. */
    public static OperatorSnapshot withSharding(OperatorSnapshot read, OperatorSnapshot.Sharding sharding) {
        return new OperatorSnapshot(
                read.name(),
                read.namespaces(),
                read.permissions(),
                read.leases(),
                read.web(),
                read.webhooks(),
                sharding);
    }

    /** The snapshot of an operator that serves other webhooks. */
    public static OperatorSnapshot withWebhooks(OperatorSnapshot read, WebhookSnapshot webhooks) {
        return new OperatorSnapshot(
                read.name(),
                read.namespaces(),
                read.permissions(),
                read.leases(),
                read.web(),
                webhooks,
                read.sharding());
    }

    private static List<Map<String, Object>> definitions() {
        return new CrdGenerator(CrdOptions.defaults().withVerify(false))
                .generate(List.of(Ages.Stable.class, Ages.Beta.class))
                .definitions();
    }

    @Test
    void applicationWhenReadIsCreatedButNotStarted() {
        OperatorDescription operator = example();

        assertThat(operator.name()).isEqualTo("example");
        assertThat(operator.snapshot().web()).isEqualTo(new OperatorSnapshot.Web(true, "server.port"));
        assertThat(operator.snapshot().leases()).containsExactly(OperatorReader.RELEASE);
        assertThat(rights(operator, Area.WATCHED))
                .containsExactly(
                        "create configmaps",
                        "list configmaps",
                        "patch configmaps",
                        "watch configmaps",
                        "list secrets",
                        "watch secrets",
                        "create deployments.apps",
                        "list deployments.apps",
                        "patch deployments.apps",
                        "watch deployments.apps",
                        "create events.events.k8s.io",
                        "patch events.events.k8s.io");
        assertThat(rights(operator, Area.CLUSTER))
                .containsExactly(
                        "list namespaces",
                        "watch namespaces",
                        "get mutatingwebhookconfigurations.admissionregistration.k8s.io 'reconciler4j-release'",
                        "patch mutatingwebhookconfigurations.admissionregistration.k8s.io 'reconciler4j-release'",
                        "get validatingwebhookconfigurations.admissionregistration.k8s.io 'reconciler4j-release'",
                        "patch validatingwebhookconfigurations.admissionregistration.k8s.io 'reconciler4j-release'",
                        "get customresourcedefinitions.apiextensions.k8s.io 'ages.example.com'",
                        "patch customresourcedefinitions.apiextensions.k8s.io 'ages.example.com'",
                        "list ages.example.com",
                        "watch ages.example.com",
                        "update ages.example.com/finalizers");
    }

    @Test
    void controllerWhenItHasAnAccountDividesItsRights() {
        OperatorDescription operator = exampleWithAccount();

        assertThat(rights(operator, Area.WATCHED, "ages"))
                .containsExactly(
                        "create configmaps",
                        "patch configmaps",
                        "create deployments.apps",
                        "patch deployments.apps",
                        "create events.events.k8s.io",
                        "patch events.events.k8s.io");
        assertThat(rights(operator, Area.CLUSTER, "ages")).containsExactly("update ages.example.com/finalizers");
        assertThat(rights(operator, Area.WATCHED, ""))
                .containsExactly(
                        "list configmaps",
                        "watch configmaps",
                        "list secrets",
                        "watch secrets",
                        "list deployments.apps",
                        "watch deployments.apps",
                        "create events.events.k8s.io",
                        "patch events.events.k8s.io");
        assertThat(rights(operator, Area.COMPONENTS, "")).containsExactly("impersonate serviceaccounts 'ages'");
    }

    @Test
    void controllerWhenItsAccountIsInAnotherNamespaceImpersonatesItThere() {
        OperatorDescription operator = example(Map.of("reconciler4j.controllers.age.service-account", "red/ages"));

        assertThat(operator.grants())
                .filteredOn(grant -> grant.right().verb().equals("impersonate"))
                .singleElement()
                .satisfies(grant -> assertThat(grant.namespace()).isEqualTo("red"));
        assertThat(rights(operator, Area.WATCHED, "red/ages")).contains("patch deployments.apps");
    }

    @Test
    void applicationWhenReadHasTheRightsOfItsLeaseAndItsWebhooks() {
        OperatorDescription operator = example();

        assertThat(rights(operator, Area.OWN))
                .containsExactly(
                        "create leases.coordination.k8s.io",
                        "get leases.coordination.k8s.io 'reconciler4j-release'",
                        "update leases.coordination.k8s.io 'reconciler4j-release'",
                        "create events.events.k8s.io",
                        "patch events.events.k8s.io");
        assertThat(rights(operator, Area.WEBHOOK))
                .containsExactly(
                        "create secrets",
                        "get secrets 'reconciler4j-release-webhook-ca'",
                        "update secrets 'reconciler4j-release-webhook-ca'");
        assertThat(operator.grants())
                .filteredOn(grant -> grant.switches().contains(SECRETS))
                .extracting(grant -> grant.right().resource())
                .containsOnly("secrets");
        assertThat(operator.grants())
                .filteredOn(grant -> grant.switches().contains(Switch.WEBHOOKS))
                .hasSize(9);
        assertThat(operator.switches()).containsExactly(Switch.WEBHOOKS, SECRETS);
    }

    @Test
    void applicationWhenItsReplicasShareShardsHasTheRightsOfBoth() {
        OperatorDescription operator = OperatorReader.ofSpring(
                        ExampleOperator.class.getName(),
                        Map.of("reconciler4j.sharding.enabled", "true", "reconciler4j.sharding.shards", "32"),
                        warnings::add)
                .read(List.of(SECRETS), definitions());

        assertThat(operator.snapshot().sharding()).isEqualTo(new OperatorSnapshot.Sharding(true, 32));
        assertThat(operator.grants()).isEqualTo(example().grants());
    }

    @Test
    void shardingWhenComparedWithTheFrameworkHasTheSameRights() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:1")
                .build();
        ManagerOptions options = ManagerOptions.defaults()
                .withExtension(ShardingOptions.named("example").withLeaseNamespace("example"));

        try (Manager manager = Manager.create(config, options)) {
            assertThat(manager.components().stream()
                            .flatMap(component -> component.requiredPermissions().stream())
                            .flatMap(permission -> Right.of(permission).stream())
                            .map(Right::toString))
                    .containsExactlyInAnyOrderElementsOf(rights(example(), Area.SHARDING));
        }
    }

    @Test
    void converterWhenItsVersionHasNoClassIsRefused() {
        assertThatThrownBy(() -> OperatorReader.ofSpring(ExampleOperator.class.getName(), Map.of(), warnings::add)
                        .read(
                                List.of(),
                                new CrdGenerator(CrdOptions.defaults().withVerify(false))
                                        .generate(List.of(Ages.Stable.class))
                                        .definitions()))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("v1beta1", "ages.example.com", "storage = false");
    }

    private static List<String> rights(OperatorDescription operator, Area area) {
        return rights(operator, area, "");
    }

    private static List<String> rights(OperatorDescription operator, Area area, String account) {
        return operator.grants().stream()
                .filter(grant -> grant.area() == area && grant.account().equals(account))
                .map(grant -> grant.right().toString())
                .toList();
    }

    @Test
    void namespacesWhenPropertiesNameThemAreTheDefaults() {
        OperatorDescription operator = OperatorReader.ofSpring(
                        ExampleOperator.class.getName(),
                        Map.of("reconciler4j.cache.namespaces", "red,blue", "management.server.port", "9000"),
                        warnings::add)
                .read(List.of(), definitions());

        assertThat(operator.snapshot().namespaces()).containsExactly("blue", "red");
        assertThat(operator.snapshot().web().portProperty()).isEqualTo("management.server.port");
    }

    @Test
    void switchWhenItChangesNothingIsWarnedOf() {
        OperatorReader.ofSpring(ExampleOperator.class.getName(), Map.of(), warnings::add)
                .read(List.of(Switch.parse("other=example.other")), definitions());

        assertThat(warnings).singleElement().asString().contains("'other'", "'example.other'");
    }

    @Test
    void beanWhenItFailsIsNamedWithAWayOut() {
        assertThatThrownBy(() -> OperatorReader.ofSpring(
                                ExampleOperator.class.getName(), Map.of("example.secrets", "maybe"), warnings::add)
                        .read(List.of(), definitions()))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll(ExampleOperator.class.getName(), "maybe", "spring.profiles.active");
    }

    @Test
    void mainWhenMissingOrWithoutApplicationIsNamed() {
        assertThatThrownBy(() -> read("com.example.Missing")).hasMessageContaining("no class com.example.Missing");
        assertThatThrownBy(() -> read(Ages.class.getName())).hasMessageContaining("public static void main");
        assertThatThrownBy(() -> read(DoesNothing.class.getName())).hasMessageContaining("without running");
    }

    private void read(String main) {
        OperatorReader.ofSpring(main, Map.of(), warnings::add).read(List.of(), definitions());
    }

    @Test
    void permissionWhenNoSuchResourceExistsIsRefusedWithTheLikelyName() {
        assertThatThrownBy(() -> check(RequiredPermission.on("apps", "deployment", "patch")))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("'deployment.apps'", "did you mean 'deployments'?");
        assertThatThrownBy(() -> check(RequiredPermission.on("example.com", "ages/status", "patch")))
                .hasMessageContaining("has no such resource");
        check(RequiredPermission.on("cert-manager.io", "certificates", "get"));
        assertThat(warnings).singleElement().asString().contains("'cert-manager.io'", "certificates.cert-manager.io");
    }

    @Test
    void permissionWhenItsVerbIsUnknownIsWarnedOf() {
        check(RequiredPermission.on("apps", "deployments", "get", "pach"));
        check(RequiredPermission.onCore("serviceaccounts", "impersonate"));
        assertThat(warnings).singleElement().asString().contains("the verb 'pach' of deployments.apps", "get, list");
    }

    @Test
    void permissionWhenItNamesAllGroupsIsNotWarnedOf() {
        check(RequiredPermission.on("*", "*/scale", "get"));
        check(RequiredPermission.on("*", "*", "list"));
        assertThat(warnings).isEmpty();
    }

    private void check(RequiredPermission permission) {
        new OperatorReader(properties -> snapshot("a", permission), warnings::add).read(List.of(), definitions());
    }

    @Test
    void nameWhenNoPartOfAnObjectsNameIsRefused() {
        assertThatThrownBy(() -> new OperatorReader(
                                properties -> snapshot("My App", RequiredPermission.onCore("pods", "get")),
                                warnings::add)
                        .read(List.of(), List.of()))
                .hasMessageContainingAll("'My App'", "spring.application.name");
    }

    private static OperatorSnapshot snapshot(String name, RequiredPermission permission) {
        return new OperatorSnapshot(
                name,
                List.of(),
                List.of(permission),
                List.of(),
                OperatorSnapshot.Web.NONE,
                WebhookSnapshot.NONE,
                OperatorSnapshot.Sharding.OFF);
    }

    /** Runs nothing. */
    public static final class DoesNothing {
        private DoesNothing() {}

        public static void main(String... arguments) {}
    }
}
