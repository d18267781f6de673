package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.fixtures.Widget;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A kind with three versions of which no two have the same fields, converted from one to another again and again, as an API server
 * and clients of different versions do: what was written in a version is read in it, and a change in any version is seen in all.
 */
class ConversionChainTests {

    private static final int CASES = Integer.getInteger("conversion.chains", 300);
    private static final long SEED = Long.getLong("conversion.seed", 1);
    private static final String GROUP = "webhook.example.com/";
    private static final List<String> VERSIONS = List.of("v1", "v1beta1", "v1alpha1");
    private static final List<String> IMAGES = List.of("image", "imageName", "picture");

    private final Endpoint endpoint = endpoint();

    private static Endpoint endpoint() {
        KindConversion<Widget> conversion = new KindConversion<>(KindName.of(Widget.class), Widget.class);
        conversion.add(KindName.of(Widget.Beta.class), Widget.Beta.class, new Widget.BetaConverter());
        conversion.add(KindName.of(Alpha.class), Alpha.class, new AlphaConverter());
        return new ConversionEndpoint(List.of(conversion));
    }

    /** A second spoke. */
    @Group("webhook.example.com")
    @Version("v1alpha1")
    @Kind("Widget")
    static class Alpha extends CustomResource<AlphaSpec, Void> implements Namespaced {
        private static final long serialVersionUID = 1L;
    }

    /** Its specification. */
    static class AlphaSpec {
        public String picture;
        public String count;
        public List<String> tags;
    }

    /** Writes the number as a text. */
    private static final class AlphaConverter implements Converter<Widget, Alpha> {

        @Override
        public Widget toHub(Alpha alpha) {
            Widget widget = new Widget();
            widget.getSpec().image = alpha.getSpec().picture;
            widget.getSpec().replicas = alpha.getSpec().count == null ? null : Integer.valueOf(alpha.getSpec().count);
            return widget;
        }

        @Override
        public Alpha fromHub(Widget widget) {
            Alpha alpha = new Alpha();
            alpha.setSpec(new AlphaSpec());
            alpha.getSpec().picture = widget.getSpec().image;
            alpha.getSpec().count =
                    widget.getSpec().replicas == null ? null : String.valueOf(widget.getSpec().replicas);
            return alpha;
        }
    }

    private JsonNode converted(String version, JsonNode object) throws Exception {
        ObjectNode review = Reviews.tree(
                "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':{'uid':'u-2'}}");
        ((ObjectNode) review.get("request"))
                .put("desiredAPIVersion", GROUP + version)
                .putArray("objects")
                .add(object.deepCopy());
        JsonNode response = endpoint.respond(review).get("response");
        assertThat(response.path("result")).hasToString("{\"status\":\"Success\"}");
        return response.at("/convertedObjects/0");
    }

    private static ObjectNode drawn(Random random, String version) {
        List<String> fields = new ArrayList<>(List.of("'" + IMAGES.get(VERSIONS.indexOf(version)) + "':'web'"));
        List<String> others = switch (version) {
            case "v1" ->
                List.of("'replicas':3", "'extra':'e'", "'ports':[{'name':'a','port':1,'note':'n'}]", "'ports':[]");
            case "v1beta1" -> List.of("'size':3", "'color':'red'", "'unknown':{'a':[1]}");
            default -> List.of("'count':'3'", "'tags':['a','b']", "'tags':[]", "'more':{}");
        };
        others.stream().filter(field -> random.nextInt(3) > 0).limit(3).forEach(fields::add);
        ObjectNode widget = Reviews.widget("{" + String.join(",", fields) + "}");
        widget.put("apiVersion", GROUP + version);
        return widget;
    }

    private static ObjectNode spec(JsonNode object) {
        return (ObjectNode) object.get("spec");
    }

    @Test
    void objectWhenConvertedAlongAnyChainIsWhatWasWritten() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            String own = VERSIONS.get(random.nextInt(3));
            ObjectNode written = drawn(random, own);
            List<String> chain = chain(random);
            JsonNode object = written;
            for (String version : chain) {
                object = converted(version, object);
            }
            assertThat(converted(own, object))
                    .as("seed %d, case %d: %s along %s", SEED, i, written, chain)
                    .isEqualTo(written);
        }
    }

    @Test
    void changeWhenMadeAnywhereInAChainIsSeenInAllVersionsAndLeavesTheRest() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            String own = VERSIONS.get(random.nextInt(3));
            ObjectNode written = drawn(random, own);
            List<String> chain = chain(random);
            int at = random.nextInt(chain.size());
            JsonNode object = written;
            for (int step = 0; step < chain.size(); step++) {
                object = converted(chain.get(step), object);
                if (step == at) {
                    spec(object).put(IMAGES.get(VERSIONS.indexOf(chain.get(step))), "changed");
                }
            }
            String story = "seed " + SEED + ", case " + i + ": " + written + " along " + chain + ", changed at " + at;
            for (String version : VERSIONS) {
                JsonNode seen = converted(version, object);
                assertThat(seen.at("/spec/" + IMAGES.get(VERSIONS.indexOf(version)))
                                .asText())
                        .as(story)
                        .isEqualTo("changed");
            }
            ObjectNode expected = written.deepCopy();
            spec(expected).put(IMAGES.get(VERSIONS.indexOf(own)), "changed");
            assertThat(converted(own, object).get("spec")).as(story).isEqualTo(expected.get("spec"));
        }
    }

    private static List<String> chain(Random random) {
        List<String> chain = new ArrayList<>();
        for (int i = 1 + random.nextInt(7); i > 0; i--) {
            chain.add(VERSIONS.get(random.nextInt(3)));
        }
        return chain;
    }
}
