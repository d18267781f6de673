package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.ScriptedWebhooks.Script;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Draws webhook configurations, each for the objects with the label of its case. */
final class RandomWebhooks {
    private static final String[] OPERATIONS = {
        "['*']", "['CREATE', 'UPDATE', 'DELETE']", "['CREATE']", "['UPDATE', 'DELETE']", "['CREATE', 'UPDATE']"
    };
    private static final String[] GROUPS = {"['*']", "['', 'adm.example.com']", "['adm.example.com']", "['']"};
    private static final String[] VERSIONS = {"['*']", "['v1']", "['v1beta1']", "['v1', 'v1beta1']"};
    private static final String[] RESOURCES = {
        "['*']",
        "['*/*']",
        "['configmaps', 'widgets']",
        "['widgets', 'widgets/status']",
        "['*', '*/status']",
        "['widgets/*']"
    };
    private static final String[] CONDITIONS = {
        "true",
        "object != null && object.metadata.name.startsWith('o')",
        "request.operation != 'DELETE'",
        "has(object.data) || has(object.spec)",
        "object.spec.count > 1",
        "object.missing.field == 1",
        "oldObject == null || oldObject.metadata.labels['case'] != ''",
        "request.dryRun == false",
        "request.resource.resource == 'widgets' && request.kind.version == 'v1'",
        "request.requestKind.version == 'v1beta1'",
        "request.subResource == ''",
        "request.namespace == 'default' && request.userInfo.username != ''",
        "!has(request.options.fieldManager) || request.options.fieldManager == 'm'",
        "size(object.metadata.labels) < 3"
    };

    private final Random random;
    private final ScriptedWebhooks webhooks;
    private final int number;

    RandomWebhooks(long seed, int number, ScriptedWebhooks webhooks) {
        random = new Random(seed);
        this.number = number;
        this.webhooks = webhooks;
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Draws the configurations of the case. */
    List<ObjectNode> draw() {
        List<ObjectNode> configurations = new ArrayList<>();
        boolean failing = random.nextInt(3) == 0;
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            configurations.add(configuration("Mutating", i, failing && i == 0));
        }
        configurations.add(configuration("Validating", 0, !failing));
        return configurations;
    }

    private ObjectNode configuration(String kind, int index, boolean failing) {
        ObjectNode configuration = (ObjectNode) TestJson.of("{apiVersion: 'admissionregistration.k8s.io/v1', kind: '"
                + kind + "WebhookConfiguration', metadata: {name: 'case-" + number + "-" + (9 - index)
                + "'}, webhooks: []}");
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            String path = "case-" + number + "/" + kind.toLowerCase() + "/" + index + i;
            ObjectNode webhook = webhook(path, kind.equals("Mutating"), i);
            Script script = script(kind.equals("Mutating"), failing && i == 0, "w" + index + i);
            webhooks.script(path, script);
            webhook.put("timeoutSeconds", script.delayMillis() > 0 ? 1 : 30);
            configuration.withArray("webhooks").add(webhook);
        }
        return configuration;
    }

    private Script script(boolean mutating, boolean failing, String name) {
        if (failing) {
            Map<String, Script> failures = Responses.failures(random);
            return random.nextInt(3) == 0
                    ? Responses.denying(random)
                    : List.copyOf(failures.values()).get(random.nextInt(failures.size()));
        }
        int choice = random.nextInt(mutating ? 6 : 2);
        return switch (choice) {
            case 0 -> Responses.allowing();
            case 1 -> Responses.warning(random);
            case 2, 3 -> Responses.counting(name);
            default -> Responses.patching(random, name);
        };
    }

    private ObjectNode webhook(String path, boolean mutating, int index) {
        ObjectNode webhook = (ObjectNode) TestJson.of("{name: 'hook-" + index
                + ".example.com', admissionReviewVersions: "
                + one("['v1']", "['v1', 'v1beta1']", "['v1beta1', 'v1']", "['v9', 'v1']") + ", sideEffects: '"
                + one("None", "NoneOnDryRun") + "', failurePolicy: '" + one("Fail", "Ignore") + "', matchPolicy: '"
                + one("Equivalent", "Exact") + "', clientConfig: {url: '"
                + (random.nextInt(12) == 0 ? "https://127.0.0.1:1/" + path : webhooks.url(path)) + "', caBundle: '"
                + webhooks.caBundle() + "'}, rules: [" + rule() + (random.nextBoolean() ? "" : ", " + rule()) + "]}");
        webhook.set("objectSelector", selector());
        if (random.nextInt(4) == 0) {
            webhook.set(
                    "namespaceSelector",
                    TestJson.of(one(
                            "{matchLabels: {'kubernetes.io/metadata.name': 'default'}}",
                            "{matchExpressions: [{key: 'kubernetes.io/metadata.name', operator: 'NotIn', values:"
                                    + " ['default']}]}",
                            "{matchExpressions: [{key: 'none', operator: 'DoesNotExist'}]}")));
        }
        int conditions = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0;
        for (int i = 0; i < conditions; i++) {
            webhook.withArray("matchConditions")
                    .addObject()
                    .put("name", "c" + i)
                    .put("expression", one(CONDITIONS));
        }
        if (mutating) {
            webhook.put("reinvocationPolicy", one("Never", "IfNeeded", "IfNeeded"));
        }
        return webhook;
    }

    private String rule() {
        return "{operations: " + one(OPERATIONS) + ", apiGroups: " + one(GROUPS) + ", apiVersions: " + one(VERSIONS)
                + ", resources: " + one(RESOURCES) + ", scope: '" + one("*", "*", "Namespaced", "Cluster") + "'}";
    }

    private JsonNode selector() {
        return TestJson.of("{matchLabels: {case: '" + number + "'}, matchExpressions: ["
                + one("", "", "{key: 'w00', operator: 'DoesNotExist'}", "{key: 'changed', operator: 'Exists'}") + "]}");
    }
}
