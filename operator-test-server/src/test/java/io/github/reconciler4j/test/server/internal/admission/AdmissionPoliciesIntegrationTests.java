package io.github.reconciler4j.test.server.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Drawn admission policies on our server and a real one: the same answers. */
@NewestKubernetes
class AdmissionPoliciesIntegrationTests extends BothServersFixture {
    private static final int CASES = Integer.getInteger("policy.cases", 60);
    private static final long SEED = Long.getLong("webhook.seed", 1);
    private static final String WIDGETS = "/apis/adm.example.com/%s/namespaces/default/widgets";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String API = "/apis/admissionregistration.k8s.io/v1/";
    private static final String[] EXPRESSIONS = {
        "true",
        "false",
        "object.metadata.name.startsWith('o')",
        "has(object.data) && object.data.size() > 0",
        "object.spec.count > 1",
        "object.missing.field == 1",
        "oldObject == null",
        "request.operation == 'CREATE'",
        "namespaceObject.metadata.name == 'default'",
        "variables.big",
        "variables.name == 'x' || variables.big",
        "request.kind.version == 'v1'",
        "'a' in object.metadata.labels",
        "object.metadata.labels['case'].matches('^[0-9]+$')",
        "!has(object.spec) || object.spec.?mode.orValue('none') == 'none'",
        "int(object.metadata.name) == 1",
        "namespaceObject.metadata.labels.size() == 1",
        "1 / size(object.metadata.name.split('o')) == 0"
    };
    private static final String[] PARAM_EXPRESSIONS = {
        "params.data.limit == '5'",
        "params == null || params.metadata.name != ''",
        "object.metadata.name != params.data.none"
    };
    private static final String[] CONFIGURATIONS = {
        "Object{metadata: Object.metadata{labels: {'m': object.metadata.name}}}",
        "Object{metadata: Object.metadata{annotations: {'v': string(variables.big)}}}",
        "has(object.data) ? Object{data: {'k': 'v'}} : Object{spec: Object.spec{count: 7}}",
        "Object{spec: Object.spec{count: object.spec.count + 1}}",
        "Object{}",
        "Object{metadata: Object.metadata{labels: {'n': object.missing}}}"
    };
    private static final String[] PATCHES = {
        "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'x'}]",
        "[JSONPatch{op: 'test', path: '/metadata/name', value: 'none'}, JSONPatch{op: 'remove', path: '/metadata/labels'}]",
        "[JSONPatch{op: 'remove', path: '/no/such'}]",
        "has(object.data) ? [JSONPatch{op: 'replace', path: '/data', value: {'z': 'y'}}] : []",
        "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'count': string(size(object.metadata.labels))}}]"
    };

    private static final String[] CONDITIONS = {
        "request.dryRun == false", "object.spec.count == 1", "request.name != ''", "has(object.spec)"
    };
    private static final String[] ACTIONS = {"['Deny']", "['Warn']", "['Warn', 'Audit']", "['Audit', 'Deny']"};

    @Override
    protected void define() {
        servers.define(
                TestJson.of(AdmissionWebhooksIntegrationTests.definition("{strategy: 'None'}")),
                WIDGETS.formatted("v1"));
    }

    private void install(String plural, JsonNode object) {
        for (RealApi api : List.of(servers.real(), servers.ours())) {
            RealApi.Answer answer = api.create(plural, object);
            assertThat(answer.status()).as(answer.message() + object).isEqualTo(201);
        }
    }

    private static String one(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private void draw(int number, Random random) {
        boolean mutates = random.nextInt(3) == 0;
        boolean params = random.nextInt(4) == 0;
        String plural = mutates ? "mutatingadmissionpolicies" : "validatingadmissionpolicies";
        String head = "{apiVersion: 'admissionregistration.k8s.io/v1', kind: '"
                + (mutates ? "MutatingAdmissionPolicy" : "ValidatingAdmissionPolicy") + "%s', metadata: {name: 'case-"
                + number + "'}, spec: {";
        String kind =
                "paramKind: {apiVersion: 'v1', kind: '" + one(random, "ConfigMap", "ConfigMap", "Secret") + "'}, ";
        String condition = "matchConditions: [{name: 'c', expression: " + quoted(one(random, CONDITIONS)) + "}], ";
        String spec = "failurePolicy: '" + one(random, "Fail", "Ignore") + "', " + (params ? kind : "")
                + constraints(number, mutates, random) + ", variables: [{name: 'name', expression: 'object == null ?"
                + " oldObject.metadata.name : object.metadata.name'}, {name: 'big', expression: 'size(variables.name) > 2'}], "
                + (random.nextInt(4) == 0 ? condition : "")
                + (mutates ? mutations(random) : validations(random, params));
        install(API + plural, TestJson.of(head.formatted("") + spec + "}}"));
        String binding = "policyName: 'case-" + number + "'" + (params ? paramRef(random) : "")
                + (mutates ? "" : ", validationActions: " + one(random, ACTIONS))
                + one(
                        random,
                        "",
                        ", matchResources: {namespaceSelector: {matchExpressions: [{key:"
                                + " 'kubernetes.io/metadata.name', operator: 'In', values: ['default']}]}}");
        install(
                API + plural.replace("policies", "policybindings"),
                TestJson.of(head.formatted("Binding") + binding + "}}"));
    }

    private static String paramRef(Random random) {
        return ", paramRef: {" + one(random, "name: 'params'", "name: 'none'", "selector: {matchLabels: {p: 'yes'}}")
                + one(random, "", ", namespace: 'default'") + ", parameterNotFoundAction: '"
                + one(random, "Deny", "Allow")
                + "'}";
    }

    private static String constraints(int number, boolean mutates, Random random) {
        String operations = mutates
                ? one(random, "['CREATE', 'UPDATE']", "['UPDATE']", "['CREATE']")
                : one(random, "['*']", "['CREATE', 'UPDATE']", "['DELETE', 'CREATE']");
        String rule = "{operations: " + operations + ", apiGroups: ['', 'adm.example.com'], apiVersions: "
                + one(random, "['*']", "['v1']") + ", resources: ['configmaps', 'widgets'"
                + one(random, "", ", 'widgets/status'") + "]"
                + one(random, "", "", ", resourceNames: ['o" + number + "']")
                + "}";
        String exclude = "{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['"
                + one(random, "none", "none", "configmaps") + "']}";
        return "matchConstraints: {matchPolicy: '" + one(random, "Exact", "Equivalent")
                + "', objectSelector: {matchLabels:" + " {case: '" + number + "'}}, resourceRules: [" + rule
                + "], excludeResourceRules: [" + exclude + "]}";
    }

    private static String validations(Random random, boolean params) {
        StringBuilder text = new StringBuilder("validations: [");
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            String expression = params && i == 0 ? one(random, PARAM_EXPRESSIONS) : one(random, EXPRESSIONS);
            text.append("{expression: ").append(quoted(expression));
            text.append(one(random, "", ", message: 'no'"));
            text.append(one(
                    random,
                    "",
                    "",
                    ", messageExpression: \"'name ' + variables.name\"",
                    ", messageExpression: \"string(object.none)\""));
            text.append(one(random, "", "", ", reason: 'Forbidden'", ", reason: 'RequestEntityTooLarge'"))
                    .append(i + 1 < count ? "}, " : "}");
        }
        return text + "]"
                + one(
                        random,
                        "",
                        ", auditAnnotations: [{key: 'k', valueExpression: " + quoted("string(object.none)") + "}]");
    }

    private static String mutations(Random random) {
        StringBuilder text =
                new StringBuilder("reinvocationPolicy: '" + one(random, "Never", "IfNeeded") + "', mutations: [");
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            text.append(
                    random.nextBoolean()
                            ? "{patchType: 'ApplyConfiguration', applyConfiguration: {expression: "
                                    + quoted(one(random, CONFIGURATIONS)) + "}}"
                            : "{patchType: 'JSONPatch', jsonPatch: {expression: " + quoted(one(random, PATCHES))
                                    + "}}");
            text.append(i + 1 < count ? ", " : "");
        }
        return text + "]";
    }

    @Test
    void requestsWhenPoliciesAreDrawnGetTheSameAnswers() throws Exception {
        for (RealApi api : List.of(servers.real(), servers.ours())) {
            api.create(MAPS, TestJson.of("{metadata: {name: 'params', labels: {p: 'yes'}}, data: {limit: '5'}}"));
            api.create(
                    MAPS,
                    TestJson.of("{metadata: {name: 'params2', labels: {p: 'yes'}}, data: {limit: '6', none: 'x'}}"));
        }
        for (int i = 0; i < CASES; i++) {
            draw(i, new Random(SEED * 1_000 + i));
        }
        await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
        try (ScriptedWebhooks none = new ScriptedWebhooks()) {
            AdmissionPlayer player = new AdmissionPlayer(servers, none);
            for (int i = 0; i < CASES; i++) {
                play(player, i, new Random(SEED * 1_000 + i));
            }
        }
        assertThat(servers.differences())
                .as(() -> servers.differences().size() + " differences:\n" + String.join("\n", servers.differences()))
                .isEmpty();
    }

    private void play(AdmissionPlayer player, int number, Random random) {
        String title = "case " + number + " " + policy(number);
        String labels = "labels: {case: '" + number + "'}";
        String name = "o" + number;
        String widget = "{apiVersion: 'adm.example.com/%s', kind: 'Widget', metadata: {name: '" + name + "', " + labels
                + "}, spec: {count: " + random.nextInt(3) + "}}";
        String version = random.nextBoolean() ? "v1" : "v1beta1";
        String v1 = WIDGETS.formatted("v1") + "/" + name;
        player.create(
                title, MAPS + "?fieldManager=m", "{metadata: {name: '" + name + "', " + labels + "}, data: {a: 'b'}}");
        player.create(title, MAPS + "?dryRun=All", "{metadata: {generateName: 'gen-', " + labels + "}}");
        player.create(title, WIDGETS.formatted(version) + "?fieldManager=m", widget.formatted(version));
        player.merge(title, MAPS + "/" + name + "?fieldManager=m", "{metadata: {labels: {a: 'x'}}}");
        player.merge(title, v1 + "?fieldManager=n", "{spec: {count: 2, mode: 'x'}}");
        player.merge(title, v1 + "/status?fieldManager=n", "{status: {seen: 2}}");
        player.delete(title, MAPS + "/" + name, null);
        player.delete(title, v1, null);
    }

    private JsonNode policy(int number) {
        RealApi.Answer mutating = servers.ours().get(API + "mutatingadmissionpolicies/case-" + number);
        return mutating.status() == 200
                ? mutating.body().path("spec")
                : servers.ours()
                        .get(API + "validatingadmissionpolicies/case-" + number)
                        .body()
                        .path("spec");
    }
}
