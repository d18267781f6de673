package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.reconciler4j.generator.rbac.PolicyRules;
import io.github.reconciler4j.generator.rbac.RbacCheck;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.simulation.Simulator;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The generated role is exactly what the operator needs: its tests pass under it, and fail under any smaller one. */
class RoleTests {

    private static final Path ROLES = Path.of("target/classes/META-INF/reconciler4j/rbac.yaml");

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
        set("reconciler4j.webhook.enabled", "false");
        try (Stream<Path> recorded = Files.list(requests)) {
            if (recorded.findAny().isEmpty()) {
                set("reconciler4j.test.requests", requests.toString());
                for (Class<?> tests :
                        List.of(WebAppTests.class, WithoutStreamedLists.class, WithLeaderElection.class)) {
                    assertThat(run(tests.getName(), "").getFailures()).isEmpty();
                }
            }
        }
        return RbacCheck.read(ROLES, requests);
    }

    /** API servers before Kubernetes 1.32 do not stream lists: then kinds are listed before they are watched. */
    @Disabled("run by the tests of this class")
    @OperatorTest(
            simulators = Simulator.DEPLOYMENTS,
            generatedRole = true,
            properties = "reconciler4j.cache.watch.streaming-lists=false")
    static class WithoutStreamedLists extends WebAppTests {}

    /** The chart enables leader election. */
    @Disabled("run by the tests of this class")
    @OperatorTest(
            simulators = Simulator.DEPLOYMENTS,
            generatedRole = true,
            properties = {"reconciler4j.leader-election.enabled=true", "reconciler4j.leader-election.retry-period=100ms"
            })
    static class WithLeaderElection extends WebAppTests {}

    /**
     * No request names finalizers; {@code FinalizersIntegrationTests} has an API server that demands this right. No test here serves
     * webhooks; {@code HelmIntegrationTests} does.
     */
    private static boolean isTested(Right right) {
        return !right.resource().endsWith("/finalizers")
                && !right.group().equals("admissionregistration.k8s.io")
                && !right.group().equals("apiextensions.k8s.io")
                && !right.name().endsWith("-webhook-ca")
                && !right.equals(new Right("", "secrets", "", "create"));
    }

    /** What check-rbac reports: each right of each rule is missed by a test. */
    @Test
    void checkWhenAnyRightIsRemovedNamesTheTestThatNeedsIt() throws IOException {
        record();
        List<Right> rights = rights().filter(RoleTests::isTested).toList();
        assertThat(rights).hasSizeGreaterThan(25);
        assertThat(rights).allSatisfy(right -> {
            List<String> missing = RbacCheck.read(rolesWithout(right), requests).missing();
            assertThat(missing)
                    .as("without '%s'", right)
                    .anySatisfy(sentence -> assertThat(sentence)
                            .contains("resources = \"" + right.resource() + "\", verbs = \"" + right.verb() + "\"")
                            .containsPattern("(WebAppTests|RoleTests\\$\\w+)#\\w+ needs"));
        });
    }

    /**
     * Runs, without a right, the test that was first to need it. Nightly without each right, which takes ten minutes, since
     * most of them mean half a minute of waiting; otherwise without one. {@code -Drole.removed=events} names others.
     */
    @Test
    void testsWhenARightIsRemovedFail() throws IOException {
        RbacCheck check = record();
        List<Right> rights = rights().filter(RoleTests::isTested).toList();
        assertThat(rights).hasSizeGreaterThan(15);
        for (Right right : removed(rights)) {
            String test = check.testsThatNeed(right).iterator().next();
            assertFailureWithout(right, test);
        }
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

    private Path rolesWithout(Right removed) throws IOException {
        List<Map<String, Object>> roles = new ArrayList<>();
        for (Map<String, Object> role : Yaml.readAll(Files.readString(ROLES), "roles")) {
            Map<String, Object> smaller = new LinkedHashMap<>(role);
            if (role.get("rules") instanceof List) {
                Set<Right> rights = new TreeSet<>(PolicyRules.rights(rules(List.of(role))));
                rights.remove(removed);
                smaller.put("rules", PolicyRules.of(rights));
            }
            roles.add(smaller);
        }
        return Files.writeString(folder.resolve("rbac.yaml"), Yaml.writeAll(roles));
    }

    private void assertFailureWithout(Right removed, String test) throws IOException {
        Path file = rolesWithout(removed);
        set("reconciler4j.test.requests", "");
        set("reconciler4j.test.generated-role", file.toString());

        String[] parts = test.split("#", 2);
        boolean later = removed.resource().equals("events"); // the recorder writes them after the test has ended
        TestExecutionSummary summary = run(parts[0], later ? "" : parts[1]);

        assertThat(summary.getFailures())
                .as("failures of %s without '%s'", test, removed)
                .isNotEmpty();
        assertThat(summary.getFailures())
                .anySatisfy(failure -> assertThat(texts(failure.getException()))
                        .contains("resources = \"" + removed.resource() + "\"")
                        .contains('"' + removed.verb() + '"'));
    }

    private static String texts(Throwable failure) {
        StringBuilder texts = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable suppressed : failure.getSuppressed()) {
            texts.append('\n').append(suppressed.getMessage());
        }
        return texts.toString();
    }

    /** Runs the tests of a class, or the one with a name. */
    private static TestExecutionSummary run(String testClass, String method) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(testClass))
                                .filters(EngineFilter.includeEngines("junit-jupiter"), named(method))
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
