package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller that writes with a service account. */
@AnyKubernetesTest
class ServiceAccountTests {

    private final AnyKubernetes kubernetes;

    ServiceAccountTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void writesWhenTheControllerHasAnAccountHaveItsRights() {
        new AccountScenario(kubernetes).check();
    }

    @Test
    void writesWhenTheAccountLosesItsRightsHealWhenTheyAreBack() {
        new AccountLossScenario(kubernetes).check();
    }

    @Test
    void tasksWhenTheyInheritTheWorkHaveTheAccount() {
        List<String> seen = new ArrayList<>();
        Runnable see = () -> seen.add(WorkScope.serviceAccount());
        WorkScope.withServiceAccount("shop/orders", () -> {
                    see.run();
                    WorkScope.inCluster("east", see).run();
                    WorkScope.in("other", "other", see).run();
                    Runnable inherited = WorkScope.inherit(see);
                    WorkScope.withServiceAccount("", inherited).run();
                    WorkScope.withServiceAccount("", see).run();
                })
                .run();
        see.run();

        assertThat(seen).containsExactly("shop/orders", "shop/orders", "shop/orders", "shop/orders", "", "");
    }

    @Test
    void tasksWhenTheyInheritNothingAreNotThoseOfTheThread() {
        List<String> seen = new ArrayList<>();
        Runnable inherited = WorkScope.inherit(
                () -> seen.add(WorkScope.controller() + WorkScope.serviceAccount() + WorkScope.cluster()));

        WorkScope.inCluster("east", WorkScope.withServiceAccount("shop/orders", WorkScope.in("c", "m", inherited)))
                .run();

        assertThat(seen).containsExactly("Optional.empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "A", "a/b/c", "/a", "a/", "-a", "system:serviceaccount:a:b", "a\nb", "é"})
    void accountWhenItIsNoNameIsRefused(String account) {
        ControllerOptions options = ControllerOptions.defaults();

        assertThatThrownBy(() -> options.withServiceAccount(account))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("serviceAccount' must consist of lower-case letters and digits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "shop/orders", "shop/orders.v1"})
    void accountWhenItIsANameIsKept(String account) {
        assertThat(ControllerOptions.defaults().withServiceAccount(account).serviceAccount())
                .isEqualTo(account);
    }
}
