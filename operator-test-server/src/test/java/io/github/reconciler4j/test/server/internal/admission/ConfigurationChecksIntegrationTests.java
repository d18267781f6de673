package io.github.reconciler4j.test.server.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Configurations and policies with drawn mistakes, written to our server and a real one: the same complaints. */
@NewestKubernetes
class ConfigurationChecksIntegrationTests extends BothServersFixture {
    private static final int CASES = Integer.getInteger("configuration.cases", 120);
    private static final String RULE =
            "{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}";
    private static final Map<String, String> OBJECTS = Map.of(
            "MutatingWebhookConfiguration",
            "webhooks: [{name: 'a.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig: {url:"
                    + " 'https://localhost/x'}, rules: [" + RULE + "]}]",
            "ValidatingWebhookConfiguration",
            "webhooks: [{name: 'a.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig:"
                    + " {service: {name: 's', namespace: 'n'}}, rules: [" + RULE + "]}]",
            "ValidatingAdmissionPolicy",
            "spec: {matchConstraints: {resourceRules: [" + RULE + "]}, validations: [{expression: 'true'}]}",
            "MutatingAdmissionPolicy",
            "spec: {matchConstraints: {resourceRules: [" + RULE
                    + "]}, reinvocationPolicy: 'Never', mutations: [{patchType:"
                    + " 'ApplyConfiguration', applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels:"
                    + " {\"a\": \"b\"}}}'}}]}",
            "ValidatingAdmissionPolicyBinding",
            "spec: {policyName: 'p', validationActions: ['Deny']}",
            "MutatingAdmissionPolicyBinding",
            "spec: {policyName: 'p'}");

    private static final String[] RULES = {
        "/operations=[]",
        "/operations=['*', 'CREATE']",
        "/operations=['PATCH']",
        "/operations=['DELETE']",
        "/operations=['CONNECT']",
        "/apiGroups=[]",
        "/apiGroups=['*', 'a']",
        "/apiVersions=['']",
        "/apiVersions=[]",
        "/apiVersions=['*', 'v1']",
        "/resources=[]",
        "/resources=['']",
        "/resources=['*/*', 'a']",
        "/resources=['*', 'a']",
        "/resources=['a/*', 'a/b']",
        "/resources=['*/b', 'a/b']",
        "/resources=['*', '*/b']",
        "/scope='Other'",
        "/scope='Cluster'"
    };
    private static final String[] SELECTORS = {
        "={matchExpressions: [{key: 'a', operator: 'In'}]}", "={matchExpressions: [{key: 'a', operator: 'Other'}]}",
        "={matchLabels: {'a b': 'c'}}", "={matchLabels: {a: 'not valid!'}}",
        "={matchExpressions: [{key: 'a', operator: 'Exists', values: ['b']}]}", "={}"
    };
    private static final String[] CONDITIONS = {
        "/matchConditions=[{name: 'a', expression: 'true'}, {name: 'a', expression: 'false'}]",
        "/matchConditions=[{name: '', expression: 'true'}]",
        "/matchConditions=[{name: 'a b', expression: 'true'}]",
        "/matchConditions=[{name: 'a', expression: ''}]",
        "/matchConditions=[{name: 'a', expression: '1'}]",
        "/matchConditions=[{name: 'a', expression: 'no.such'}]",
        "/matchConditions=[{name: 'a', expression: '1 +'}]",
        "/matchConditions=[{name: 'a', expression: 'request.operation == \"CREATE\"'}]",
        "/matchConditions=[{name: 'a', expression: 'request.missing == 1'}]",
        "/matchConditions=[{name: 'a', expression: 'object.a == oldObject.b'}]",
        "/matchConditions=[{name: 'a', expression: 'object.a'}]",
        "/matchConditions=[{name: 'a', expression: 'params.a == 1'}]",
        "/matchConditions=[{name: 'a', expression: 'variables.a == 1'}]",
        "/matchConditions=[{name: 'a', expression: 'namespaceObject.metadata.name == \"a\"'}]"
    };
    private static final String[] WEBHOOK = {
        "/name=''",
        "/name='a'",
        "/name='a.b'",
        "/name='A.b.c'",
        "/failurePolicy='Other'",
        "/matchPolicy='Other'",
        "/sideEffects=null",
        "/sideEffects='Some'",
        "/sideEffects='Unknown'",
        "/timeoutSeconds=0",
        "/timeoutSeconds=31",
        "/timeoutSeconds=30",
        "/admissionReviewVersions=[]",
        "/admissionReviewVersions=['v9']",
        "/admissionReviewVersions=['v1', 'v1']",
        "/admissionReviewVersions=['V1']",
        "/reinvocationPolicy='Other'",
        "/reinvocationPolicy='IfNeeded'",
        "/clientConfig={}",
        "/clientConfig={url: 'http://a'}",
        "/clientConfig={url: 'https://'}",
        "/clientConfig={url: 'https://a?b=c'}",
        "/clientConfig={url: 'https://a#b'}",
        "/clientConfig={url: 'https://u:p@a'}",
        "/clientConfig={url: 'a/b'}",
        "/clientConfig={url: 'https://a b'}",
        "/clientConfig={url: 'https://a', service: {name: 'a', namespace: 'b'}}",
        "/clientConfig={service: {name: 'a'}}",
        "/clientConfig={service: {namespace: 'a', name: ''}}",
        "/clientConfig={service: {name: 'a', namespace: 'b', port: 0}}",
        "/clientConfig={service: {name: 'a', namespace: 'b', port: 70000}}",
        "/clientConfig={service: {name: 'a', namespace: 'b', path: 'x'}}",
        "/clientConfig={service: {name: 'a', namespace: 'b', path: '/x//y'}}",
        "/clientConfig={service: {name: 'a', namespace: 'b', path: '//'}}",
        "/clientConfig={service: {name: 'a', namespace: 'b', path: '/x_y/'}}",
        "/rules=[]"
    };
    private static final String[] POLICY = {
        "/failurePolicy='Other'",
        "/paramKind={}",
        "/paramKind={apiVersion: 'v1', kind: 'ConfigMap'}",
        "/paramKind={apiVersion: 'a/b/c', kind: 'K'}",
        "/paramKind={apiVersion: 'A_/v1', kind: 'K_'}",
        "/paramKind={apiVersion: 'a/', kind: ''}",
        "/matchConstraints=null",
        "/matchConstraints/resourceRules=[]",
        "/matchConstraints/matchPolicy='Other'",
        "/matchConstraints/resourceRules/0/resourceNames=['a', 'a', 'b/c']",
        "/matchConstraints/excludeResourceRules=[{operations: ['X']}]",
        "/variables=[{name: 'v', expression: 'true'}]",
        "/variables=[{name: '', expression: ''}]",
        "/variables=[{name: 'in', expression: '1'}]",
        "/variables=[{name: 'a-b', expression: '1'}]",
        "/variables=[{name: 'a', expression: 'x.y'}]",
        "/variables=[{name: 'a', expression: '1'}, {name: 'b', expression: 'variables.a + 1'}]",
        "/variables=[{name: 'a', expression: '1'}, {name: 'b', expression: 'variables.c'}]"
    };
    private static final String[] VALIDATING = {
        "/validations=[]",
        "/validations=[{expression: ''}]",
        "/validations=[{expression: '1'}]",
        "/validations=[{expression: 'object.a == 1', message: ' '}]",
        "/validations=[{expression: 'true', reason: 'Other'}]",
        "/validations=[{expression: 'true', message: 'a\\nb'}]",
        "/validations=[{expression: 'true', reason: 'Forbidden'}]",
        "/validations=[{expression: 'true', messageExpression: '1'}]",
        "/validations=[{expression: 'true', messageExpression: ' '}]",
        "/validations=[{expression: 'true', messageExpression: '\"a\"'}]",
        "/validations=[{expression: 'params.a == 1'}]",
        "/validations=[{expression: 'variables.v'}]",
        "/auditAnnotations=[{key: 'a', valueExpression: '\"x\"'}, {key: 'a', valueExpression: 'null'}]",
        "/auditAnnotations=[{key: 'a b', valueExpression: '1'}]",
        "/auditAnnotations=[{key: 'a', valueExpression: ''}]"
    };
    private static final String[] MUTATING = {
        "/reinvocationPolicy=''",
        "/reinvocationPolicy='Other'",
        "/mutations=[]",
        "/mutations=[{patchType: ''}]",
        "/mutations=[{patchType: 'Other'}]",
        "/mutations=[{patchType: 'JSONPatch'}]",
        "/mutations=[{patchType: 'ApplyConfiguration', jsonPatch: {expression: '[]'}}]",
        "/mutations=[{patchType: 'JSONPatch', jsonPatch: {expression: '[JSONPatch{op: \"add\", path: \"/a\", value: 1}]'}}]",
        "/mutations=[{patchType: 'JSONPatch', jsonPatch: {expression: '1'}}]",
        "/mutations=[{patchType: 'JSONPatch', jsonPatch: {expression: '[]'}}]",
        "/mutations=[{patchType: 'JSONPatch', jsonPatch: {expression: 'true ? [] : [JSONPatch{op: \"a\"}]'}}]",
        "/mutations=[{patchType: 'JSONPatch', jsonPatch: {expression: ''}}]",
        "/mutations=[{patchType: 'ApplyConfiguration', applyConfiguration: {expression: '1'}}]",
        "/mutations=[{patchType: 'ApplyConfiguration', applyConfiguration: {expression: 'Object.spec{}'}}]"
    };
    private static final String[] BINDING = {
        "/policyName=''",
        "/policyName='A_'",
        "/paramRef={name: 'a', parameterNotFoundAction: 'Deny'}",
        "/paramRef={}",
        "/paramRef={name: 'a', selector: {}, parameterNotFoundAction: 'Allow'}",
        "/paramRef={name: 'a/b', parameterNotFoundAction: 'Other'}",
        "/paramRef={selector: {matchLabels: {'a b': 'c'}}, parameterNotFoundAction: 'Deny'}",
        "/matchResources={matchPolicy: 'Other'}",
        "/matchResources={resourceRules: [{operations: ['DELETE']}]}",
        "/matchResources={resourceRules: [" + RULE + "]}"
    };
    private static final String[] ACTIONS = {
        "/validationActions=[]",
        "/validationActions=['Deny', 'Warn']",
        "/validationActions=['Deny', 'Deny']",
        "/validationActions=['Other']",
        "/validationActions=['Warn', 'Audit']"
    };

    private final Random random = new Random(Long.getLong("webhook.seed", 1));

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String mistake(String kind) {
        if (kind.endsWith("Configuration")) {
            return switch (random.nextInt(5)) {
                case 0 -> "/webhooks/0/rules/0" + one(RULES);
                case 1 -> "/webhooks/0/" + one("namespaceSelector", "objectSelector") + one(SELECTORS);
                case 2 -> "/webhooks/0" + one(CONDITIONS);
                default -> "/webhooks/0" + one(WEBHOOK);
            };
        }
        if (kind.endsWith("Binding")) {
            return "/spec" + (kind.startsWith("Validating") && random.nextInt(3) == 0 ? one(ACTIONS) : one(BINDING));
        }
        return "/spec"
                + switch (random.nextInt(5)) {
                    case 0 -> "/matchConstraints/resourceRules/0" + one(RULES);
                    case 1 -> "/matchConstraints/" + one("namespaceSelector", "objectSelector") + one(SELECTORS);
                    case 2 -> one(CONDITIONS);
                    case 3 -> one(kind.startsWith("Validating") ? VALIDATING : MUTATING);
                    default -> one(POLICY);
                };
    }

    private static void set(JsonNode tree, String change) {
        int equals = change.indexOf('=');
        JsonPointer pointer = JsonPointer.compile(change.substring(0, equals));
        JsonNode value = TestJson.of(change.substring(equals + 1));
        JsonNode parent = tree.at(pointer.head());
        if (parent instanceof ObjectNode object && value.isNull()) {
            object.remove(pointer.last().getMatchingProperty());
        } else if (parent instanceof ObjectNode object) {
            object.set(pointer.last().getMatchingProperty(), value);
        } else if (parent instanceof ArrayNode list) {
            list.add(value);
        }
    }

    @Test
    void objectsWithMistakesGetTheSameAnswer() {
        AdmissionPlayer player;
        try (ScriptedWebhooks none = new ScriptedWebhooks()) {
            player = new AdmissionPlayer(servers, none);
            for (String kind : List.copyOf(new java.util.TreeSet<>(OBJECTS.keySet()))) {
                String plural = kind.toLowerCase(Locale.ROOT).replaceFirst("y$", "ie") + "s";
                for (int i = 0; i < CASES; i++) {
                    JsonNode object = TestJson.of("{apiVersion: 'admissionregistration.k8s.io/v1', kind: '" + kind
                            + "', metadata: {name: 'c'}, " + OBJECTS.get(kind) + "}");
                    int mistakes = random.nextInt(3);
                    String title = kind;
                    for (int j = 0; j < mistakes; j++) {
                        String change = mistake(kind);
                        set(object, change);
                        title += " " + change;
                    }
                    player.play(
                            title,
                            "POST",
                            "/apis/admissionregistration.k8s.io/v1/" + plural + "?dryRun=All&fieldManager=m",
                            object.toString(),
                            "application/json");
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        assertThat(servers.differences())
                .as(() -> servers.differences().size() + " differences:\n" + String.join("\n", servers.differences()))
                .isEmpty();
    }
}
