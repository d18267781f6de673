package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.github.reconciler4j.generator.rbac.PolicyRules;
import io.github.reconciler4j.generator.rbac.RbacCheck;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.beans.factory.annotation.Autowired;

/** The generated role is exactly what the operator needs: its tests pass under it, and fail under any smaller one. */
class RoleTests {

    private static final Path ROLES = Path.of("target/classes/META-INF/reconciler4j/rbac.yaml");

    private static final List<Class<?>> TESTS = List.of(
            WebAppTests.class,
            WithStreamedLists.class,
            WithLeaderElection.class,
            WithSharding.class,
            WithShortLivedAuthority.class,
            WithoutSecrets.class);

    private final Map<String, String> settings = new HashMap<>();

    /** The requests of all tests, recorded once. */
    @TempDir
    private static Path requests;

    @TempDir
    private Path folder;

    @AfterEach
    void restoreSettings() {
        settings.keySet().forEach(System::clearProperty);
    }

    private void set(String property, String value) {
        settings.put(property, value);
        System.setProperty(property, value);
    }

    @Test
    void roleWhenComparedWithWhatTestsNeedIsNeitherTooSmallNorTooBig() throws IOException {
        RbacCheck check = record();

        assertThat(check.missing()).isEmpty();
        assertThat(check.unused()).isEmpty();
    }

    /** Runs all tests if that has not been done, and reads the requests that they recorded. */
    private RbacCheck record() throws IOException {
        try (Stream<Path> recorded = Files.list(requests)) {
            if (recorded.findAny().isEmpty()) {
                set("reconciler4j.test.requests", requests.toString());
                for (Class<?> tests : TESTS) {
                    assertThat(run(tests.getName()).getFailures()).isEmpty();
                }
            }
        }
        return RbacCheck.read(ROLES, requests);
    }

    /** Kubernetes 1.32 streams lists: then kinds are not listed before they are watched. */
    @Disabled("run by the tests of this class")
    @OperatorTest(
            cluster = {"deployment", "replicaset"},
            generatedRole = true,
            properties = "reconciler4j.cache.watch.list-mode=streamed")
    static class WithStreamedLists extends WebAppTests {}

    /** The chart enables leader election. */
    @Disabled("run by the tests of this class")
    @OperatorTest(
            cluster = {"deployment", "replicaset"},
            generatedRole = true,
            properties = {"reconciler4j.leader-election.enabled=true", "reconciler4j.leader-election.retry-period=100ms"
            })
    static class WithLeaderElection extends WebAppTests {}

    /** The chart can enable sharding. A replica acquires shards, works on them, and deletes its Lease when it stops. */
    @Disabled("run by the tests of this class")
    @OperatorTest(
            cluster = {"deployment", "replicaset"},
            generatedRole = true,
            properties = {"reconciler4j.sharding.enabled=true", "reconciler4j.sharding.retry-period=100ms"})
    static class WithSharding {

        @Test
        void replicaWhenItHasWorkedAndStopsLeavesNoLease(TestCluster cluster, @Autowired Manager manager) {
            String namespace = cluster.createNamespace("webapps");
            create(cluster, namespace);
            cluster.expect(Deployment.class, namespace, "hello").toExist();

            manager.stop();

            assertThat(cluster.client()
                            .leases()
                            .inNamespace("sample-operator")
                            .withLabel("reconciler4j.io/sharding-role", "replica")
                            .list()
                            .getItems())
                    .isEmpty();
        }
    }

    /** Webhooks have an authority that lives for months, and is replaced before it ends. */
    @Disabled("run by the tests of this class")
    @OperatorTest(
            generatedRole = true,
            properties = {
                "reconciler4j.webhook.certificates.authority-life=12s",
                "reconciler4j.webhook.certificates.certificate-life=4s"
            })
    static class WithShortLivedAuthority {

        @Test
        void authorityWhenItsEndIsNearIsReplaced(TestCluster cluster) {
            var secret =
                    cluster.client().secrets().inNamespace("sample-operator").withName("sample-operator-webhook-ca");
            String first = authority(secret.get());

            await("another authority")
                    .atMost(Duration.ofSeconds(40))
                    .until(() -> !authority(secret.get()).equals(first));
        }

        private static String authority(Secret secret) {
            return secret.getData().get("ca.crt");
        }
    }

    /** The chart leaves out the right to read all Secrets if a value says so; then the webhooks have that to their own. */
    @Disabled("run by the tests of this class")
    @OperatorTest(generatedRole = true, properties = "sample.secrets.enabled=false")
    static class WithoutSecrets {

        @Test
        void webAppWhenSecretsAreNotReadGetsItsObjects(TestCluster cluster) {
            String namespace = cluster.createNamespace("webapps");
            create(cluster, namespace);

            cluster.expect(Deployment.class, namespace, "hello").toExist();
        }
    }

    private static void create(TestCluster cluster, String namespace) {
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal(WebApps.yaml("hello", "replicas: 1"), WebApp.class))
                .inNamespace(namespace)
                .create();
    }

    /**
     * No request names finalizers; {@code FinalizersIntegrationTests} has an API server that demands this right. Lists of cached
     * kinds are streamed by their watches; only API servers before 1.32 need the right to list. {@code HelmIntegrationTests} migrates
     * stored objects, which takes more than a minute.
     */
    private static boolean isTested(Right right) {
        boolean streamed = right.verb().equals("list") && !right.resource().startsWith("leases");
        boolean migrates = right.resource().equals("customresourcedefinitions/status");
        return !streamed && !migrates && !right.resource().endsWith("/finalizers");
    }

    /** What check-rbac reports: each right of each rule is missed by a test. */
    @Test
    void checkWhenAnyRightIsRemovedNamesTheTestThatNeedsIt() throws IOException {
        record();
        List<Right> rights = rights().filter(RoleTests::isTested).toList();
        assertThat(rights).hasSizeGreaterThan(35);
        assertThat(rights).allSatisfy(right -> {
            List<String> missing =
                    RbacCheck.read(rolesWithout(grantsOf(right)), requests).missing();
            assertThat(missing)
                    .as("without '%s'", right)
                    .anySatisfy(sentence -> assertThat(sentence)
                            .contains("resources = \"" + right.resource() + "\", verbs = \"" + right.verb() + "\"")
                            .containsPattern("(WebAppTests|RoleTests\\$\\w+)#\\w+ needs"));
        });
    }

    /** Without the right to read all Secrets, only the Secret of the webhooks is read. */
    @Test
    void roleWhenSecretsAreNotReadSufficesWithoutTheRightToAllSecrets() throws IOException {
        useRoles(rolesWithout(rights().filter(right -> right.resource().equals("secrets")
                        && right.name().isEmpty()
                        && !right.verb().equals("create"))
                .toList()));

        assertThat(run(WithoutSecrets.class.getName()).getFailures()).isEmpty();
    }

    /**
     * Runs, without a right, the tests that need it. Nightly without each right, which takes twenty minutes, since most of them
     * mean half a minute of waiting; otherwise without one. {@code -Drole.removed=events} names others.
     */
    @TestFactory
    Stream<DynamicTest> testsWhenARightIsRemovedFail() throws IOException {
        RbacCheck check = record();
        List<Right> rights = rights().filter(RoleTests::isTested).toList();
        assertThat(rights).hasSizeGreaterThan(35);
        return removed(rights).stream()
                .map(right -> DynamicTest.dynamicTest("without '" + right + "'", () -> {
                    List<Right> grants = grantsOf(right);
                    assertFailureWithout(
                            right,
                            grants,
                            grants.size() == 1 ? check.testsThatNeed(right) : List.of(WithoutSecrets.class.getName()));
                }));
    }

    /** Returns a right and, if it is for one object, that to all objects, which the chart does not always grant. */
    private static List<Right> grantsOf(Right right) throws IOException {
        boolean lease = right.resource().equals("leases"); // those of shards have a role of their own
        return rights().filter(other -> other.equals(right)
                        || !lease && other.equals(new Right(right.group(), right.resource(), "", right.verb())))
                .distinct()
                .toList();
    }

    private static List<Right> removed(List<Right> rights) {
        String wanted = System.getProperty("role.removed", "");
        return switch (wanted) {
            case "" -> rights.subList(0, 1);
            case "all" -> rights;
            default ->
                rights.stream()
                        .filter(right -> right.toString().contains(wanted))
                        .toList();
        };
    }

    private static Stream<Right> rights() throws IOException {
        return PolicyRules.rights(rules(Yaml.readAll(Files.readString(ROLES), "roles"))).stream();
    }

    private static List<Map<?, ?>> rules(Collection<Map<String, Object>> roles) {
        List<Map<?, ?>> rules = new ArrayList<>();
        roles.stream()
                .filter(role -> role.get("rules") instanceof List)
                .forEach(role -> ((List<?>) role.get("rules")).forEach(rule -> rules.add((Map<?, ?>) rule)));
        return rules;
    }

    private Path rolesWithout(Collection<Right> removed) throws IOException {
        List<Map<String, Object>> roles = new ArrayList<>();
        for (Map<String, Object> role : Yaml.readAll(Files.readString(ROLES), "roles")) {
            Map<String, Object> smaller = new LinkedHashMap<>(role);
            if (role.get("rules") instanceof List) {
                Set<Right> rights = new TreeSet<>(PolicyRules.rights(rules(List.of(role))));
                rights.removeAll(removed);
                smaller.put("rules", PolicyRules.of(rights));
            }
            roles.add(smaller);
        }
        return Files.writeString(folder.resolve("rbac.yaml"), Yaml.writeAll(roles));
    }

    private void useRoles(Path file) {
        set("reconciler4j.test.requests", "");
        set("reconciler4j.test.generated-role", file.toString());
    }

    /** What an operator does once for all tests of a class does not always fail in the test that was first: then runs all. */
    private void assertFailureWithout(Right right, Collection<Right> grants, Collection<String> tests)
            throws IOException {
        assertThat(tests).as("tests that need '%s'", right).isNotEmpty();
        useRoles(rolesWithout(grants));
        Set<String> selections = new LinkedHashSet<>(List.of(tests.iterator().next()));
        tests.forEach(test -> selections.add(test.split("#", 2)[0]));
        for (String selection : selections) {
            TestExecutionSummary summary = run(selection);
            if (!summary.getFailures().isEmpty()) {
                assertThat(summary.getFailures())
                        .as("failures of %s without '%s'", selection, right)
                        .anySatisfy(failure -> assertThat(texts(failure.getException()))
                                .contains("resources = \"" + right.resource() + "\"")
                                .contains('"' + right.verb() + '"'));
                return;
            }
        }
        fail("None of " + selections + " fails without '" + right + "'");
    }

    private static String texts(Throwable failure) {
        StringBuilder texts = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable suppressed : failure.getSuppressed()) {
            texts.append('\n').append(suppressed.getMessage());
        }
        return texts.toString();
    }

    /** Runs the tests of a class, or the one that is named after it. */
    private static TestExecutionSummary run(String tests) {
        String[] parts = tests.split("#", 2);
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(parts[0]))
                                .filters(
                                        EngineFilter.includeEngines("junit-jupiter"),
                                        named(parts.length > 1 ? parts[1] : ""))
                                .configurationParameter("junit.jupiter.conditions.deactivate", "org.junit.*Disabled*")
                                .build(),
                        listener);
        return listener.getSummary();
    }

    private static PostDiscoveryFilter named(String method) {
        return test -> FilterResult.includedIf(method.isEmpty()
                || !(test.getSource().orElse(null) instanceof MethodSource source)
                || source.getMethodName().equals(method));
    }
}
