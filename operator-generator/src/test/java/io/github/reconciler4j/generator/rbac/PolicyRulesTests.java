package io.github.reconciler4j.generator.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PolicyRulesTests {

    @Property(tries = 2000)
    void rulesWhenMadeOfRightsGrantExactlyThese(@ForAll("rights") List<Right> rights, @ForAll Random random) {
        List<Map<String, Object>> rules = PolicyRules.of(rights);
        List<Right> shuffled = new ArrayList<>(rights);
        Collections.shuffle(shuffled, random);

        assertThat(PolicyRules.rights(rules)).isEqualTo(reduced(rights));
        assertThat(PolicyRules.of(shuffled)).isEqualTo(rules);
    }

    @Provide
    Arbitrary<List<Right>> rights() {
        return Combinators.combine(
                        Arbitraries.of("", "apps"),
                        Arbitraries.of("pods", "deployments", "deployments/status"),
                        Arbitraries.of("", "", "one", "two"),
                        Arbitraries.of("get", "list", "patch", "use"))
                .as(Right::new)
                .list()
                .ofMaxSize(12);
    }

    private static Set<Right> reduced(List<Right> rights) {
        Set<Right> result = new TreeSet<>(rights);
        result.removeIf(right -> !right.name().isEmpty()
                && rights.contains(new Right(right.group(), right.resource(), "", right.verb())));
        return result;
    }

    @Test
    void rulesWhenAlikeAreMerged() {
        List<Right> rights = new ArrayList<>();
        for (String resource : List.of("services", "configmaps")) {
            rights.addAll(Right.of(RequiredPermission.onCore(resource, "watch", "list", "create")));
        }
        rights.addAll(Right.of(RequiredPermission.onCore("secrets", "get").named("a")));
        rights.addAll(Right.of(RequiredPermission.onCore("secrets", "get").named("b")));

        assertThat(PolicyRules.of(rights))
                .containsExactly(
                        Map.of(
                                "apiGroups", List.of(""),
                                "resources", List.of("configmaps", "services"),
                                "verbs", List.of("list", "watch", "create")),
                        Map.of(
                                "apiGroups", List.of(""),
                                "resources", List.of("secrets"),
                                "resourceNames", List.of("a", "b"),
                                "verbs", List.of("get")));
        assertThat(rights).extracting(Right::toString).contains("get secrets 'a'", "list services");
    }
}
