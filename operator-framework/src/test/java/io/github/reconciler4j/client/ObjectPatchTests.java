package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.ObjectPatch.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectPatchTests {

    private static ConfigMap configMap(String version, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withResourceVersion(version)
                .endMetadata()
                .addToData("a", value)
                .build();
    }

    private static void assertPatch(ObjectPatch patch, String contentType, String body) {
        assertThat(patch.contentType()).isEqualTo(contentType);
        assertThat(new String(patch.body(), StandardCharsets.UTF_8)).isEqualTo(body);
        assertThat(patch.isEmpty()).isFalse();
    }

    @Test
    void patchHasTheMediaTypeAndTheBodyOfItsFormat() {
        assertPatch(ObjectPatch.merge(Map.of("a", 1)), "application/merge-patch+json", "{\"a\":1}");
        assertPatch(ObjectPatch.strategic(Map.of("a", 1)), "application/strategic-merge-patch+json", "{\"a\":1}");
        assertPatch(
                ObjectPatch.json(List.of(Operation.add("/a", null), new Operation("move", "/b", "/a", null))),
                "application/json-patch+json",
                "[{\"op\":\"add\",\"path\":\"/a\",\"value\":null},{\"op\":\"move\",\"path\":\"/b\",\"from\":\"/a\"}]");
        assertPatch(
                ObjectPatch.between(configMap("5", "1"), configMap("5", "2")),
                "application/merge-patch+json",
                "{\"data\":{\"a\":\"2\"}}");
    }

    @Test
    void patchWhenItsContentIsEmptyIsEmpty() {
        ConfigMap same = configMap("5", "1");
        assertThat(ObjectPatch.merge(Map.of()).isEmpty()).isTrue();
        assertThat(ObjectPatch.json().isEmpty()).isTrue();
        assertThat(ObjectPatch.between(same, configMap("5", "1")).isEmpty()).isTrue();
        assertThat(ObjectPatch.merge(Map.of()).lockedTo(same).isEmpty()).isTrue();
        assertThat(ObjectPatch.merge(same).isEmpty())
                .as("any other tree may change something")
                .isFalse();
    }

    @Test
    void patchWhenLockedToAnObjectContainsItsVersion() {
        ConfigMap read = configMap("5", "1");
        assertPatch(
                ObjectPatch.merge(Map.of("data", Map.of("a", "2"))).lockedTo(read),
                "application/merge-patch+json",
                "{\"data\":{\"a\":\"2\"},\"metadata\":{\"resourceVersion\":\"5\"}}");
        assertPatch(
                ObjectPatch.json(Operation.remove("/data/a")).lockedTo(read),
                "application/json-patch+json",
                "[{\"op\":\"replace\",\"path\":\"/metadata/resourceVersion\",\"value\":\"5\"},"
                        + "{\"op\":\"remove\",\"path\":\"/data/a\"}]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ObjectPatch.merge(Map.of()).lockedTo(configMap("", "1")))
                .withMessage("The object needs a resourceVersion, since the patch is locked to it");
    }

    @Test
    void patchWhenItIsNotOfThisLibraryIsNotEmptyAndIsLockedIfItIsJson() {
        ConfigMap read = configMap("5", "1");
        assertThat(new Raw("{}").isEmpty()).isFalse();
        assertPatch(new Raw("{}").lockedTo(read), "text/raw", "{\"metadata\":{\"resourceVersion\":\"5\"}}");
        assertPatch(new Raw("1").lockedTo(read), "text/raw", "1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Raw("{").lockedTo(read).body())
                .withMessage("The patch is not JSON, so it cannot be locked to a version");
    }

    private record Raw(String text) implements ObjectPatch {

        @Override
        public String contentType() {
            return "text/raw";
        }

        @Override
        public byte[] body() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
