package io.github.reconciler4j.spring.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.autoconfigure.OperatorAutoConfiguration;
import io.github.reconciler4j.spring.autoconfigure.endpoint.OperatorEndpoint.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Each selector and parameter of the endpoint gets each hostile text. The endpoint answers with a status, and enqueues nothing that
 * cannot be an object. To add a text, add it to {@link #TEXTS}.
 */
@Timeout(180)
class OperatorEndpointGridTests {

    private static final long SEED = Long.getLong("grid.seed", 1);

    private static final List<String> TEXTS = List.of(
            " ",
            "/",
            "a/b",
            "..",
            ".",
            "%2F",
            "a\u0000b",
            "a\r\nERROR forged",
            "\u0085",
            "\ud83d\ude00",
            "\ud800",
            "\u202eabc",
            "maps@",
            "@",
            "maps@home",
            "a in b",
            " in ",
            "<script>alert(1)</script>",
            "${x} #{y} {{z}}",
            "null",
            "x".repeat(100_000));

    private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(OperatorAutoConfiguration.class, OperatorEndpointAutoConfiguration.class))
            .withUserConfiguration(Reconcilers.class)
            .withBean(
                    Config.class,
                    () -> new ConfigBuilder(Config.empty())
                            .withMasterUrl("http://127.0.0.1:1")
                            .build())
            .withPropertyValues(
                    "spring.application.name=shop",
                    "management.endpoints.web.exposure.include=reconciler4j",
                    "reconciler4j.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    static class Reconcilers {

        @Bean
        @Reconciler(name = "maps")
        ObjectReconciler<ConfigMap> maps() {
            return (map, context) -> Result.done();
        }
    }

    private static List<String> texts() {
        List<String> texts = new ArrayList<>(TEXTS);
        Random random = new Random(SEED);
        for (int i = 0; i < 20; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j <= i; j++) {
                text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static void check(String what, WebEndpointResponse<?> response, Integer... statuses) {
        assertThat(Set.of(statuses)).as(what).contains(response.getStatus());
    }

    @Test
    void endpointWhenATextIsHostileAnswersWithAStatus() {
        contextRunner.run(context -> {
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            for (String text : texts()) {
                check("controller", endpoint.controller(text, 0, text, null, text), 404);
                check("controller of an object", endpoint.object(text, "default", "one", null), 404);
                check("namespace", endpoint.object("maps", text, "one", null), 200);
                check("name", endpoint.object("maps", "default", text, null), text.isBlank() ? 404 : 200);
                check("name alone", endpoint.object("maps", text, null), text.isBlank() ? 404 : 200);
                check("cluster", endpoint.object("maps", "default", "one", text), 200);
                for (Action action : Action.values()) {
                    check("changed controller", endpoint.change(text, action, "default", "one", null), 404);
                }
                check("requeued namespace", endpoint.change("maps", Action.REQUEUE, text, "one", null), 200, 400);
                check("requeued name", endpoint.change("maps", Action.REQUEUE, "default", text, null), 200, 400);
                check("requeued cluster", endpoint.change("maps", Action.REQUEUE, "default", "one", text), 200, 400);
            }
        });
    }

    @Test
    void requeueWhenNoObjectCanHaveTheNameIsRefused() {
        contextRunner.run(context -> {
            OperatorEndpoint endpoint = context.getBean(OperatorEndpoint.class);
            for (String text : List.of("/", "a/b", "..", "%2F", "a\r\nERROR forged")) {
                check(text, endpoint.change("maps", Action.REQUEUE, "default", text, null), 400);
                check(text, endpoint.change("maps", Action.REQUEUE, text, "one", null), 400);
                check(text, endpoint.change("maps", Action.REQUEUE, "default", "one", text), 400);
            }
        });
    }
}
