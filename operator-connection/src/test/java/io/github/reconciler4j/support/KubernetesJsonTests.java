package io.github.reconciler4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesJsonTests {

    private static final ObjectMapper PLAIN = new ObjectMapper();
    private static final String ALPHABET = "abcXYZ 0189~\u007f\"\\/\n\t\u0001\u001f\u00e4\u20ac\ud83d\ude00";

    @Group("tests.example.io")
    @Version("v1")
    static class Plain extends CustomResource<Map<String, String>, Void> {
        private static final long serialVersionUID = 1L;

        @Override
        protected Map<String, String> initSpec() {
            return new HashMap<>(Map.of("from", "constructor"));
        }
    }

    @Group("tests.example.io")
    @Version("v1")
    static class Unique extends CustomResource<Void, Void> {
        private static final long serialVersionUID = 1L;
        transient String id = UUID.randomUUID().toString();
    }

    @Group("tests.example.io")
    @Version("v1")
    static class Timed extends CustomResource<Void, Void> {
        private static final long serialVersionUID = 1L;
        transient long made = System.currentTimeMillis();
    }

    /** What has a number of each type. */
    record Numbers(
            double one,
            Double two,
            float three,
            BigDecimal four,
            double[] five,
            Map<String, Double> six,
            @JsonFormat(shape = JsonFormat.Shape.STRING) double seven,
            OffsetDateTime at) {}

    @Test
    void mapperWhenNumbersAreWholeAndTimesHaveOffsetsWritesThemAsTheServerDoes() throws IOException {
        OffsetDateTime at = OffsetDateTime.parse("2024-02-03T04:05:06+02:00");
        Numbers numbers = new Numbers(
                1.0, -2.0, 3.0f, new BigDecimal("4.00"), new double[] {5.0, 5.5}, Map.of("a", 1e15), 7.0, at);
        String json = KubernetesJson.mapper().writeValueAsString(numbers);
        assertThat(json)
                .contains("\"one\":1,")
                .contains("\"two\":-2,")
                .contains("\"three\":3,")
                .contains("\"four\":4,")
                .contains("\"five\":[5,5.5]")
                .contains("\"a\":1000000000000000")
                .contains("\"seven\":\"7.0\"")
                .contains("\"at\":\"2024-02-03T04:05:06+02:00\"");
        Numbers read = KubernetesJson.mapper().readValue(json, Numbers.class);
        assertThat(read.at()).isEqualTo(at).hasToString("2024-02-03T04:05:06+02:00");
        assertThat(read.two()).isEqualTo(-2.0);
        assertThat(KubernetesJson.mapper().writeValueAsString(new double[] {0.25, 1e300, -0.0}))
                .isEqualTo("[0.25,1.0E300,-0.0]");
    }

    private static byte[] json(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T read(Class<T> type, byte[] json) throws IOException {
        return KubernetesJson.mapper().readValue(json, type);
    }

    @Test
    void readOfRandomTextsIsAsJacksonReadsThem() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            Map<String, String> data = new HashMap<>();
            for (int entry = 0; entry < 3; entry++) {
                data.put(text(random, 10), text(random, entry == 0 ? 10_000 : 20));
            }
            byte[] json = PLAIN.writeValueAsBytes(Map.of("data", data));
            assertThat(read(ConfigMap.class, json).getData()).isEqualTo(data);
            assertThat((Object) read(Map.class, json)).isEqualTo(Map.of("data", data));
        }
    }

    private static String text(Random random, int maxLength) {
        int[] characters = ALPHABET.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        boolean ascii = random.nextBoolean();
        for (int length = random.nextInt(maxLength); length > 0; length--) {
            text.appendCodePoint(characters[random.nextInt(ascii ? 12 : characters.length)]);
        }
        return text.toString();
    }

    @Test
    void readWhenTheTextIsNotInUtf8OrNotAnObjectWorks() throws IOException {
        for (String charset : new String[] {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"}) {
            byte[] json = "{\"data\":{\"a\":\"\u00e4b\"}}".getBytes(Charset.forName(charset));
            assertThat(read(ConfigMap.class, json).getData()).as(charset).containsEntry("a", "\u00e4b");
        }
        assertThat(read(ConfigMap.class, json("\ufeff{'data':{'a':'b'}}")).getData())
                .containsEntry("a", "b");
        assertThat(read(String[].class, json("['a','b']"))).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{'data':{'a':'b", "{'data':{'a':'b\\", "{'data':{'a':'b\n'}}", "{'data':{'a':'\u0000'}}", "{"})
    void readWhenATextIsBrokenFails(String json) {
        assertThatThrownBy(() -> read(ConfigMap.class, json(json))).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void readOfManyCustomResourcesGivesEachItsOwnParts() throws IOException, InterruptedException {
        for (int i = 0; i < 100; i++) {
            Plain read = read(Plain.class, json("{'metadata':{'name':'x'}}"));
            assertThat(read.getSpec()).containsExactly(Map.entry("from", "constructor"));
            assertThat(read.getPlural()).isEqualTo("plains");
            assertThat(read.getCRDName()).isEqualTo("plains.tests.example.io");
            assertThat(read.getMetadata().getLabels()).isNullOrEmpty();
            read.getSpec().put("changed", "yes");
            read.getMetadata().setLabels(Map.of("changed", "yes"));
            assertThat(read(Plain.class, json("{'kind':'Other'}")).getMetadata().getName())
                    .isNull();
            Thread.sleep(1);
        }
    }

    @Test
    void readWhenTheConstructorDependsOnChanceOrTimeCallsItEachTime() throws IOException, InterruptedException {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            ids.add(read(Unique.class, json("{}")).id);
            long before = System.currentTimeMillis();
            assertThat(read(Timed.class, json("{}")).made).isGreaterThanOrEqualTo(before);
            Thread.sleep(1);
        }
        assertThat(ids).hasSize(100);
    }
}
