package io.github.reconciler4j.test.server.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.kubernetes.NewestKubernetes;
import io.github.reconciler4j.test.server.internal.admission.ScriptedWebhooks.Script;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServersFixture;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Objects of two versions on our server and a real one, converted by the same webhook: the same answers. */
@NewestKubernetes
class ConversionWebhooksIntegrationTests extends BothServersFixture {
    private static final String WIDGETS = "/apis/adm.example.com/%s/namespaces/default/widgets";
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final List<String> MODES = List.of(
            "labels",
            "no-metadata",
            "message",
            "failed",
            "uid",
            "count",
            "version",
            "kind",
            "name",
            "identity",
            "annotation",
            "finalizers",
            "unknown",
            "absent",
            "type",
            "bad-label",
            "500");

    private ScriptedWebhooks webhooks;

    @Override
    protected void define() {
        try {
            webhooks = new ScriptedWebhooks();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        webhooks.script("convert", Script.answering(ConversionWebhooksIntegrationTests::convert));
        String conversion = "{strategy: 'Webhook', webhook: {conversionReviewVersions: ['v1'], clientConfig: {url: '"
                + webhooks.url("convert") + "', caBundle: '" + webhooks.caBundle() + "'}}}";
        servers.define(TestJson.of(AdmissionWebhooksIntegrationTests.definition(conversion)), WIDGETS.formatted("v1"));
    }

    /** Moves {@code spec.one} to {@code spec.other} and back, and misbehaves as {@code spec.mode} says. */
    private static ObjectNode convert(ObjectNode review) {
        ObjectNode answer = review.objectNode();
        answer.set("apiVersion", review.get("apiVersion"));
        answer.set("kind", review.get("kind"));
        ObjectNode response = answer.putObject("response");
        response.set("uid", review.at("/request/uid"));
        response.putObject("result").put("status", "Success");
        String wanted = review.at("/request/desiredAPIVersion").asText();
        var converted = response.putArray("convertedObjects");
        for (JsonNode object : review.at("/request/objects")) {
            ObjectNode result = object.deepCopy();
            result.put("apiVersion", wanted);
            if (result.path("spec") instanceof ObjectNode spec) {
                boolean toBeta = wanted.endsWith("v1beta1");
                JsonNode value = spec.remove(toBeta ? "one" : "other");
                if (value != null) {
                    spec.set(toBeta ? "other" : "one", value);
                }
            }
            converted.add(result);
            misbehave(object.at("/spec/mode").asText(), wanted, result, response, answer);
        }
        return answer;
    }

    private static void misbehave(
            String mode, String wanted, ObjectNode object, ObjectNode response, ObjectNode answer) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        if (wanted.endsWith("/v1")) {
            return; // so that the object can be stored
        }
        switch (mode) {
            case "labels" -> metadata.putObject("labels").put("converted", "yes");
            case "annotation" -> metadata.putObject("annotations").put("converted", "yes");
            case "bad-label" -> metadata.putObject("labels").put("bad label", "!");
            case "no-metadata" -> object.remove("metadata");
            case "type" -> metadata.putObject("labels").put("number", 1);
            case "message" ->
                response.putObject("result").put("status", "Failure").put("message", "cannot convert");
            case "failed" -> response.putObject("result").put("status", "Failed");
            case "uid" -> response.put("uid", "other");
            case "count" -> response.withArray("convertedObjects").removeAll();
            case "version" -> object.put("apiVersion", "adm.example.com/v9");
            case "kind" -> object.put("kind", "Other");
            case "name" -> metadata.put("name", "other");
            case "identity" -> metadata.put("uid", "other");
            case "finalizers" -> metadata.putArray("finalizers").add("a.example.com/b");
            case "unknown" -> ((ObjectNode) object.path("spec")).put("unknown", "x");
            case "absent" -> answer.remove("response");
            case "500" -> throw new IllegalStateException("the webhook fails");
            default -> {}
        }
    }

    @Test
    void objectsWhenConvertedGetTheSameAnswers() {
        AdmissionPlayer player = AdmissionPlayer.ofAnswers(servers);
        String v1 = WIDGETS.formatted("v1");
        String beta = WIDGETS.formatted("v1beta1");
        String widget =
                "{apiVersion: 'adm.example.com/%s', kind: 'Widget', metadata: {name: '%s', labels: {l: 'x'}}, spec:"
                        + " {mode: '%s', %s: 'value'}}";
        answers(player, "POST", v1, widget.formatted("v1", "plain", "", "one"), JSON);
        answers(player, "POST", beta, widget.formatted("v1beta1", "fromBeta".toLowerCase(), "", "other"), JSON);
        for (String path : List.of(v1, beta)) {
            for (String rest : List.of("/plain", "/frombeta", "", "?limit=1", "?labelSelector=l%3Dx")) {
                answers(player, "GET", path + rest, null, JSON);
            }
            answers(player, "PATCH", path + "/plain?fieldManager=m", "{spec: {count: 2}}", MERGE);
            answers(player, "PATCH", path + "/plain?fieldManager=m&dryRun=All", "{spec: {count: 3}}", MERGE);
            answers(player, "PATCH", path + "/plain/status?fieldManager=m", "{status: {seen: 2}}", MERGE);
            answers(player, "PATCH", path + "/plain?fieldManager=m", "{spec: {count: 'x'}}", MERGE);
        }
        for (String mode : MODES) {
            answers(player, "POST", v1, widget.formatted("v1", mode, mode, "one"), JSON);
            answers(player, "GET", beta + "/" + mode, null, JSON);
            answers(player, "GET", v1 + "/" + mode, null, JSON);
            answers(player, "PATCH", beta + "/" + mode + "?fieldManager=m", "{spec: {count: 1}}", MERGE);
            answers(player, "POST", beta + "?dryRun=All", widget.formatted("v1beta1", "n" + mode, mode, "other"), JSON);
            answers(player, "DELETE", (mode.equals("labels") ? beta : v1) + "/" + mode, null, JSON);
        }
        assertThat(servers.differences())
                .as(() -> servers.differences().size() + " differences:\n" + String.join("\n", servers.differences()))
                .isEmpty();
    }

    /** Compares the answers; how often and when the webhook is asked is up to the caches of the server. */
    private void answers(AdmissionPlayer player, String method, String path, String body, String type) {
        String json = body == null ? null : TestJson.of(body).toString();
        player.play(method + " " + path + " " + body, api -> api.send(method, path, json, type, JSON));
    }
}
