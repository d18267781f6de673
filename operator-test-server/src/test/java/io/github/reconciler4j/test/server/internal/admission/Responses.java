package io.github.reconciler4j.test.server.internal.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.admission.ScriptedWebhooks.Script;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What admission webhooks may answer. */
final class Responses {
    private static final String[] DENIALS = {
        "{}",
        "{message: 'no'}",
        "{reason: 'Forbidden', code: 403}",
        "{message: 'bad', code: 200}",
        "{message: 'bad', status: 'Success', reason: 'Invalid', code: 422, details: {name: 'n', kind: 'k', causes: [{reason:"
                + " 'FieldValueInvalid', message: 'm', field: 'spec.a'}]}}",
        "{message: 'teapot', code: 418, reason: 'Teapot'}"
    };
    private static final String[] GOOD_PATCHES = {
        "[{op: 'add', path: '/metadata/labels/%s', value: 'x'}]",
        "[{op: 'add', path: '/metadata/annotations', value: {%s: 'y'}}]",
        "[{op: 'add', path: '/data', value: {%s: 'z'}}]",
        "[{op: 'add', path: '/spec', value: {count: 7, %s: 1}}]",
        "[{op: 'test', path: '/metadata/labels/case', value: 'none'}]",
        "[]"
    };
    private static final String[] BAD_PATCHES = {
        "[{op: 'remove', path: '/spec/missing/deep'}]",
        "{op: 'add'}",
        "[{op: 'add', path: '/metadata/labels', value: {}}]"
    };

    private Responses() {}

    private static ObjectNode response(ObjectNode review, Consumer<ObjectNode> change) {
        ObjectNode answer = review.objectNode();
        answer.put("apiVersion", review.path("apiVersion").asText()).put("kind", "AdmissionReview");
        ObjectNode response = answer.putObject("response");
        response.set("uid", review.at("/request/uid"));
        response.put("allowed", true);
        change.accept(response);
        return answer;
    }

    static Script allowing() {
        return Script.answering(review -> response(review, response -> {}));
    }

    private static Script with(Consumer<ObjectNode> change) {
        return Script.answering(review -> response(review, change));
    }

    /** Warns. */
    static Script warning(Random random) {
        String plain = "plain " + random.nextInt(2);
        boolean lines = random.nextBoolean();
        boolean isLong = random.nextInt(3) == 0;
        return with(response -> {
            var warnings = response.putArray("warnings");
            warnings.add(plain).add("with \"quotes\" and \\").add("");
            if (lines) {
                warnings.add("two\nlines");
            }
            if (isLong) {
                warnings.add("l".repeat(3000)).add("m".repeat(2000));
            }
        });
    }

    static Script denying(Random random) {
        String status = DENIALS[random.nextInt(DENIALS.length)];
        boolean absent = random.nextInt(5) == 0;
        return with(response -> {
            response.put("allowed", false);
            if (!absent) {
                response.set("status", TestJson.of(status));
            }
        });
    }

    private static Script patch(String text, boolean typed) {
        return with(response -> {
            byte[] json = TestJson.of(text).toString().getBytes(StandardCharsets.UTF_8);
            response.put("patch", Base64.getEncoder().encodeToString(json));
            if (typed) {
                response.put("patchType", "JSONPatch");
            }
        });
    }

    static Script patching(Random random, String name) {
        return patch(GOOD_PATCHES[random.nextInt(GOOD_PATCHES.length)].replace("%s", name), true);
    }

    /** Counts its calls in a label, so that each of them changes the object. */
    static Script counting(String name) {
        return Script.answering(review -> response(review, response -> {
            int count = review.at("/request/object/metadata/labels/" + name).asInt();
            String patch = "[{op: 'add', path: '/metadata/labels/" + name + "', value: '" + (count + 1) + "'}]";
            boolean deletes = review.at("/request/operation").asText().equals("DELETE");
            if (!deletes) {
                response.put(
                        "patch",
                        Base64.getEncoder()
                                .encodeToString(TestJson.of(patch).toString().getBytes(StandardCharsets.UTF_8)));
                response.put("patchType", "JSONPatch");
            }
        }));
    }

    /** All ways to answer wrongly or not at all, by what they are called. */
    static Map<String, Script> failures(Random random) {
        Map<String, Script> failures = new LinkedHashMap<>();
        failures.put("uid", with(response -> response.put("uid", "other")));
        failures.put("no-uid", with(response -> response.remove("uid")));
        failures.put(
                "kind", Script.answering(review -> response(review, none -> {}).put("kind", "Other")));
        failures.put(
                "version",
                Script.answering(review -> response(review, none -> {}).put("apiVersion", "v1")));
        failures.put(
                "absent",
                Script.answering(review -> response(review, none -> {}).without("response")));
        failures.put("empty", Script.answering(review -> review.objectNode()));
        failures.put("nonsense", Script.answering(review -> null));
        failures.put("types", with(response -> response.put("allowed", "yes")));
        failures.put("500", new Script(500, 0, review -> response(review, none -> {})));
        failures.put("404", new Script(404, 0, review -> review.objectNode()));
        failures.put("400", new Script(400, 0, review -> null));
        failures.put("503", new Script(503, 0, review -> null));
        failures.put("201", new Script(201, 0, review -> response(review, none -> {})));
        failures.put("slow", new Script(200, 1500, review -> response(review, none -> {})));
        failures.put("patch-without-type", patch(GOOD_PATCHES[0].replace("%s", "a"), false));
        failures.put("type-without-patch", with(response -> response.put("patchType", "JSONPatch")));
        failures.put("empty-type", with(response -> response.put("patchType", "")));
        failures.put("patch", patch(BAD_PATCHES[random.nextInt(BAD_PATCHES.length)], true));
        failures.put("base64", with(response -> response.put("patch", "%%").put("patchType", "JSONPatch")));
        failures.put(
                "other-type", with(response -> response.put("patch", "W3t9XQ==").put("patchType", "Other")));
        return failures;
    }
}
