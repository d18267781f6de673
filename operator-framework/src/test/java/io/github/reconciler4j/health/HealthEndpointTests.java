package io.github.reconciler4j.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.health.HealthEndpoint.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class HealthEndpointTests {

    private final List<HealthCheck> checks = new ArrayList<>();
    private final HealthEndpoint liveness = HealthEndpoint.liveness(() -> checks);
    private final HealthEndpoint readiness = HealthEndpoint.readiness(() -> checks);

    private void check(String name, Supplier<Health> health) {
        checks.add(new HealthCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Health check() {
                return health.get();
            }
        });
    }

    private void check(String name, boolean alive, boolean ready) {
        check(name, () -> new Health(alive, ready, Map.of("secret", "reason")));
    }

    @Test
    void allWhenAllChecksPassRespondsOk() {
        check("cache", true, true);
        assertThat(readiness.all(false, Set.of())).isEqualTo(new Response(200, "ok"));
        assertThat(readiness.all(true, Set.of())).isEqualTo(new Response(200, "[+]cache ok\nreadyz check passed\n"));
    }

    @Test
    void allWhenSomethingFailsListsTheChecksWithoutReasons() {
        check("cache", true, false);
        check("manager", true, true);
        Response answer = readiness.all(false, Set.of());
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body())
                .isEqualTo("[-]cache failed: reason withheld\n[+]manager ok\nreadyz check failed\n")
                .doesNotContain("secret");
        assertThat(liveness.all(false, Set.of()).status()).isEqualTo(200);
    }

    @Test
    void allWhenFailingCheckIsExcludedPassesAndWarnsOfUnknownNames() {
        check("cache", false, false);
        Response answer = liveness.all(true, Set.of("cache", "nonsense"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .contains("[+]cache excluded: ok")
                .contains("warn: some health checks cannot be excluded: no matches for [nonsense]");
    }

    @Test
    void oneWhenCheckIsKnownAnswersForItAlone() {
        check("cache", true, true);
        check("controller/webapp", true, false);
        assertThat(readiness.one("cache")).isEqualTo(new Response(200, "ok"));
        assertThat(readiness.one("controller/webapp").status()).isEqualTo(500);
        assertThat(readiness.one("<unknown>").status()).isEqualTo(404);
        assertThat(readiness.one("<unknown>").body()).doesNotContain("<");
    }

    @Test
    void allWhenThereIsNoCheckHasAPing() {
        assertThat(liveness.all(true, Set.of()).body()).startsWith("[+]ping ok");
        assertThat(liveness.one("ping").status()).isEqualTo(200);
    }

    @Test
    void allWhenCheckThrowsIsNotReadyButAlive() {
        check("bad", () -> {
            throw new IllegalStateException("content");
        });
        assertThat(readiness.all(false, Set.of()).status()).isEqualTo(500);
        assertThat(liveness.all(false, Set.of()).status()).isEqualTo(200);
        HealthReport report = HealthReport.of(checks);
        assertThat(report.isAlive()).isTrue();
        assertThat(report.notReady()).containsExactly("bad");
        assertThat(report.notAlive()).isEmpty();
    }

    @Test
    void allWhenCheckThrowsAnErrorRunsTheOthers() {
        check("overflowing", () -> {
            throw new StackOverflowError();
        });
        check("good", true, true);
        assertThat(readiness.all(false, Set.of()).body())
                .startsWith("[-]overflowing failed: reason withheld\n[+]good ok\n");
        assertThat(liveness.all(false, Set.of()).status()).isEqualTo(200);
    }

    @Test
    void allWhenCheckRunsOutOfMemoryIsNotAlive() {
        check("exhausted", () -> {
            throw new OutOfMemoryError("for a test");
        });
        assertThat(liveness.all(false, Set.of()).status()).isEqualTo(500);
        assertThat(HealthReport.of(checks).notAlive()).containsExactly("exhausted");
    }
}
