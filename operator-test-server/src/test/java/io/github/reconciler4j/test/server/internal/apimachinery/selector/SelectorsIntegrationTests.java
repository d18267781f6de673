package io.github.reconciler4j.test.server.internal.apimachinery.selector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi.Answer;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Selectors, read by a real API server and by our functions. */
@RealKubernetesTest(components = {})
class SelectorsIntegrationTests {

    private static final String PATH = "/api/v1/namespaces/default/configmaps";

    private static final List<Map<String, String>> LABELS = List.of(
            Map.of(),
            Map.of("app", "web"),
            Map.of("app", "api", "tier", ""),
            Map.of("app", "web", "weight", "10"),
            Map.of("weight", "9", "in", "notin", "example.com/role", "a"),
            Map.of("tier", "x", "app", ""),
            Map.of("weight", "x", "a", "b"));

    private static final List<String> WORDS = List.of(
            "app",
            "web",
            "api",
            "tier",
            "weight",
            "10",
            "9",
            "in",
            "notin",
            "example.com/role",
            "a",
            "x",
            " ",
            "=",
            "==",
            "!=",
            "!",
            "(",
            ")",
            ",",
            ">",
            "<",
            " in ",
            " notin ",
            "(web,api)",
            "app=web",
            "\t",
            "",
            "_",
            "-",
            "a/b/c",
            "Ü",
            "/x",
            "x/",
            ".",
            "gt",
            "'",
            "app in (web)",
            "!app");

    private static final List<String> FIELD_WORDS = List.of(
            "metadata.name",
            "metadata.namespace",
            "=",
            "==",
            "!=",
            "s-1",
            "s-2",
            ",",
            "\\,",
            "\\",
            "\\\\",
            "default",
            "",
            "\\=",
            " ",
            "metadata.name=s-1",
            "metadata.name!=s-2");

    @Test
    @NewestKubernetes
    void selectorsWhenReadByBothSelectTheSameOrFailTheSame(RealKubernetes kubernetes) {
        try (RealApi api = new RealApi(kubernetes)) {
            Map<String, Map<String, String>> labels = new TreeMap<>();
            for (int i = 0; i < LABELS.size(); i++) {
                labels.put("s-" + i, LABELS.get(i));
                api.create(PATH, configMap("s-" + i, LABELS.get(i)));
            }
            api.get(PATH)
                    .body()
                    .path("items")
                    .forEach(
                            item -> labels.putIfAbsent(item.at("/metadata/name").asText(), Map.of()));
            List<String> differences = new ArrayList<>();
            for (String selector : selectors(WORDS, 400)) {
                compare(api, "labelSelector", selector, labels, LabelSelector::parse, differences);
            }
            Map<String, Map<String, String>> fields = new TreeMap<>();
            labels.keySet()
                    .forEach(name -> fields.put(name, Map.of("metadata.name", name, "metadata.namespace", "default")));
            for (String selector : selectors(FIELD_WORDS, 200)) {
                compare(api, "fieldSelector", selector, fields, FieldSelector::parse, differences);
            }
            assertThat(differences).isEmpty();
        }
    }

    private static JsonNode configMap(String name, Map<String, String> labels) {
        StringBuilder text = new StringBuilder();
        labels.forEach((key, value) -> text.append("'%s': '%s',".formatted(key, value)));
        String list = text.isEmpty() ? "" : text.substring(0, text.length() - 1);
        return TestJson.of(
                "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: '" + name + "', labels: {" + list + "}}}");
    }

    private static List<String> selectors(List<String> words, int count) {
        List<String> selectors = new ArrayList<>(words);
        selectors.addAll(List.of(
                "app in (web,api)",
                "app in ()",
                "app in (,)",
                "app in (web,,)",
                "app notin (web)",
                "tier=",
                "weight>9",
                "weight<10",
                "weight>x",
                "app=web,tier!=x",
                "app in (web",
                "app in web)",
                "app=a b",
                "!app=web"));
        Random random = new Random(4);
        for (int i = 0; i < count; i++) {
            StringBuilder selector = new StringBuilder();
            for (int j = 0; j < 1 + random.nextInt(6); j++) {
                selector.append(words.get(random.nextInt(words.size())));
            }
            selectors.add(selector.toString());
        }
        return selectors;
    }

    private static void compare(
            RealApi api,
            String parameter,
            String selector,
            Map<String, Map<String, String>> objects,
            Function<String, ? extends Predicate<Map<String, String>>> parser,
            List<String> differences) {
        Answer answer = api.get(PATH + "?" + parameter + "=" + URLEncoder.encode(selector, StandardCharsets.UTF_8));
        TreeSet<String> expected = new TreeSet<>();
        answer.body()
                .path("items")
                .forEach(item -> expected.add(item.at("/metadata/name").asText()));
        String theirs = answer.status() == 200 ? expected.toString() : Integer.toString(answer.status());
        String ours = ours(selector, objects, parser);
        boolean isUnknownField = answer.message().contains("is not a known field selector");
        if (!theirs.equals(ours) && !isUnknownField) {
            differences.add(parameter + " '" + selector + "'\n  server: " + theirs + "\n  ours:   " + ours + "\n");
        }
    }

    private static String ours(
            String selector,
            Map<String, Map<String, String>> objects,
            Function<String, ? extends Predicate<Map<String, String>>> parser) {
        try {
            Predicate<Map<String, String>> predicate = parser.apply(selector);
            TreeSet<String> names = new TreeSet<>();
            objects.forEach((name, values) -> {
                if (predicate.test(values)) {
                    names.add(name);
                }
            });
            return names.toString();
        } catch (StatusException e) {
            return Integer.toString(e.code());
        }
    }
}
