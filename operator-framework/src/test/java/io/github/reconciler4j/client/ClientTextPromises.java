package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.ObjectPatch.Operation;
import io.github.reconciler4j.client.OperationResult.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every string that JSON can carry survives every write unchanged. */
interface ClientTextPromises extends ClientPromises {

    int ROUNDS = Integer.getInteger("client.text.rounds", 10);
    int PLANE = 0x10000;
    int CHUNK = 0x100;

    /** What JSON, YAML and HTTP treat specially. */
    List<String> SPECIAL = List.of(
            "\uD83D\uDE00",
            "\uD83D\uDC69\u200D\uD83D\uDCBB",
            "\uD834\uDD1E",
            "\uDBFF\uDFFF",
            "\u0000",
            "\u0007",
            "\u001B",
            "\u007F",
            "\u0080",
            "\u0085",
            "\u009F",
            "\u00A0",
            "\u2028",
            "\u2029",
            "\uFEFF",
            "\uFFFD",
            "\uFFFE",
            "\uFFFF",
            "\uFDD0",
            "\r",
            "\n",
            "\r\n",
            "\n\n",
            "\t",
            " ",
            "   ",
            ": ",
            " #",
            "- ",
            "---\n",
            "...\n",
            "? ",
            "'",
            "\"",
            "\\",
            "\\u0041",
            "\\",
            "%",
            "%41",
            "&",
            "*",
            "!",
            "|",
            ">",
            "@",
            "`",
            "{",
            "}",
            "[",
            "]",
            ",",
            "~",
            "null",
            "true",
            "1e3",
            "0x1",
            "1_0",
            "<<",
            "=",
            "a",
            "\u00E4",
            "e\u0301");

    /** Return the planes of Unicode to write; all by default. */
    default IntStream planes() {
        return IntStream.rangeClosed(0, 16);
    }

    @Test
    default void codePointsOfAllPlanesSurviveEveryWrite() {
        for (int plane : planes().toArray()) {
            Map<String, String> texts = new TreeMap<>();
            for (int start = 0; start < PLANE; start += CHUNK) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < CHUNK; i++) {
                    int codePoint = plane * PLANE + start + i;
                    if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                        text.appendCodePoint(codePoint);
                    }
                }
                texts.put("t" + start, text.toString());
            }
            survive("plane " + plane, "plane" + plane, texts);
        }
    }

    @Test
    default void randomStringsSurviveEveryWrite() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            Map<String, String> texts = new TreeMap<>();
            for (int i = 0; i < 300; i++) {
                texts.put("t" + i, text(random));
            }
            survive("seed " + seed, "seed" + seed, texts);
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int parts = random.nextInt(8);
        for (int i = 0; i < parts; i++) {
            int codePoint = random.nextInt(Character.MAX_CODE_POINT + 1);
            boolean isSurrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
            if (isSurrogate || random.nextBoolean()) {
                text.append(SPECIAL.get(random.nextInt(SPECIAL.size())));
            } else {
                text.appendCodePoint(codePoint);
            }
        }
        return text.toString();
    }

    private void survive(String label, String name, Map<String, String> texts) {
        surviveInData(label, name, texts);
        surviveInStatus(label, name, texts);
    }

    private void surviveInData(String label, String name, Map<String, String> texts) {
        ConfigMap wanted =
                new ConfigMapBuilder().withMetadata(named(name)).withData(texts).build();
        check(label + ", create", texts, client().create(wanted));
        client().delete(wanted);
        check(label + ", applyUnconditionally", texts, client().applyUnconditionally(wanted, ApplyOptions.defaults()));
        OperationResult<ConfigMap> applied = client().applyWithOutcome(wanted, ApplyOptions.defaults());
        assertThat(applied.outcome()).as(label).isEqualTo(Outcome.UNCHANGED);
        check(label + ", apply", texts, applied.object());

        ConfigMap empty = clear(applied.object());
        empty.setData(texts);
        check(label + ", update", texts, client().update(empty));
        clear(empty);
        check(label + ", merge patch", texts, client().patch(empty, ObjectPatch.merge(Map.of("data", texts))));
        clear(empty);
        ObjectPatch json = ObjectPatch.json(List.of(Operation.add("/data", texts)));
        check(label + ", JSON patch", texts, client().patch(empty, json));
        clear(empty);
        check(
                label + ", createOrPatch",
                texts,
                client().createOrPatch(configMap(name), map -> map.setData(texts))
                        .object());
        client().delete(wanted);
    }

    private ConfigMap clear(ConfigMap map) {
        return client().patch(map, ObjectPatch.merge(Collections.singletonMap("data", null)));
    }

    private void check(String label, Map<String, String> texts, ConfigMap response) {
        assertThat(response.getData().equals(texts)).as("%s: response", label).isTrue();
        ConfigMap stored = client().live()
                .get(ConfigMap.class, key(response.getMetadata().getName()))
                .orElseThrow();
        texts.forEach((key, text) ->
                assertThat(stored.getData().get(key)).as("%s: %s", label, key).isEqualTo(text));
    }

    private void surviveInStatus(String label, String name, Map<String, String> texts) {
        Gadget gadget = gadget(name);
        gadget.getSpec().items = new ArrayList<>(texts.values());
        Gadget created = client().applyUnconditionally(gadget, ApplyOptions.defaults());
        checkGadget(label + ", apply of a custom resource", created, texts, null);

        String phase = String.join("", texts.values());
        gadget.setStatus(new Gadget.Status());
        gadget.getStatus().phase = phase;
        checkGadget(label + ", status apply", client().status().apply(gadget), texts, phase);
        Gadget cleared = client().status().patch(created, ObjectPatch.merge(Map.of("status", Map.of("phase", ""))));
        Gadget edited = client().status().edit(cleared, g -> g.getStatus().phase = phase);
        checkGadget(label + ", status edit", edited, texts, phase);
        cleared = client().status().patch(edited, ObjectPatch.merge(Map.of("status", Map.of("phase", ""))));
        cleared.getStatus().phase = phase;
        checkGadget(label + ", status update", client().status().update(cleared), texts, phase);
        client().delete(created);
    }

    private void checkGadget(String label, Gadget response, Map<String, String> texts, String phase) {
        Gadget stored = client().live()
                .get(Gadget.class, key(response.getMetadata().getName()))
                .orElseThrow();
        for (Gadget gadget : List.of(response, stored)) {
            assertThat(gadget.getSpec().items.equals(new ArrayList<>(texts.values())))
                    .as("%s: spec", label)
                    .isTrue();
            assertThat(phase == null || phase.equals(gadget.getStatus().phase))
                    .as("%s: status", label)
                    .isTrue();
        }
    }
}
