package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Null;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.junit.jupiter.api.Test;

class JakartaValidatorTests {

    private static final jakarta.validation.Validator CONSTRAINTS = constraints();

    private final JakartaValidator<Shop> validator = JakartaValidator.of(Shop.class, CONSTRAINTS);

    /** Returns an implementation without an expression language. */
    static jakarta.validation.Validator constraints() {
        return jakarta.validation.Validation.byDefaultProvider()
                .configure()
                .messageInterpolator(new ParameterMessageInterpolator())
                .buildValidatorFactory()
                .getValidator();
    }

    @Test
    void fieldsWhenInvalidAreNamedAsInJson() {
        Shop shop = shop();
        shop.getSpec().size = 11;
        shop.getSpec().pullPolicy = "Sometimes";
        shop.getSpec().doors = List.of(new Door("front", null), new Door("BACK", Policy.ALWAYS));
        shop.getSpec().labels = Map.of("a", "", "b", "b");
        shop.getSpec().hosts = List.of("a", " ");
        shop.getSpec().owner = new Owner();
        shop.getSpec().note = Optional.of(new Note("long text"));

        assertThat(create(shop))
                .containsExactly(
                        "spec.doors[0].open-policy: Required value: must not be null",
                        "spec.doors[1].name: Invalid value: \"BACK\": must match \"[a-z]+\"",
                        "spec.hosts[1]: Invalid value: \" \": must not be blank",
                        "spec.imagePullPolicy: Invalid value: \"Sometimes\": must match \"Always|Never\"",
                        "spec.labels[a]: Invalid value: \"\": must not be blank",
                        "spec.note.text: Invalid value: \"long text\": size must be between 0 and 3",
                        "spec.ownerName: Required value: must not be null",
                        "spec.replicas: Invalid value: 11: must be less than or equal to 10");
    }

    @Test
    void objectWhenValidHasNoProblem() {
        assertThat(create(shop())).isEmpty();
        assertThat(update(shop(), shop())).isEmpty();
        Shop empty = new Shop();
        assertThat(create(empty)).isEmpty();
    }

    @Test
    void groupsWhenNamedApplyToCreationsOrUpdates() {
        Shop shop = shop();
        shop.getSpec().migrated = "yes";
        assertThat(create(shop)).containsExactly("spec.migrated: Invalid value: \"yes\": must be null");
        shop.getSpec().migrated = null;
        shop.getSpec().closed = null;
        assertThat(create(shop)).isEmpty();
        assertThat(update(shop(), shop)).containsExactly("spec.closed: Required value: must not be null");
    }

    @Test
    void updateWhenTheStoredObjectHasTheProblemTooIsAllowed() {
        Shop stored = shop();
        stored.getSpec().size = 11;
        Shop changed = shop();
        changed.getSpec().size = 11;
        changed.getSpec().pullPolicy = "Sometimes";

        assertThat(update(stored, stored)).isEmpty();
        assertThat(update(stored, changed)).singleElement().asString().startsWith("spec.imagePullPolicy");
        changed.getSpec().size = 12;
        assertThat(update(stored, changed)).hasSize(2);
    }

    @Test
    void constraintWhenOnTheKindIsChecked() {
        Shop shop = shop();
        shop.getMetadata().setName("a-very-long-name");
        assertThat(create(shop)).singleElement().asString().endsWith("the name must be short");
    }

    @Test
    void classWhenWithoutConstraintsIsKnown() {
        assertThat(validator.hasConstraints()).isTrue();
        assertThat(JakartaValidator.of(ConfigMap.class, CONSTRAINTS).hasConstraints())
                .isFalse();
        assertThat(validator.type()).isEqualTo(Shop.class);
    }

    @Test
    void webhookWhenRegisteredStandsBesideTheOneOfTheOperator() {
        Webhooks webhooks = Webhooks.builder()
                .validator(Shop.class, (shop, validation) -> {})
                .validator(Shop.class, validator)
                .validator(
                        Shop.class,
                        validator.withOptions(WebhookOptions.defaults().withName("other")))
                .build();

        assertThat(webhooks.admission())
                .extracting(AdmissionWebhook::name)
                .containsExactly(
                        "validate-shop-v1.constraints.example.com",
                        "validate-shop-v1-constraints.constraints.example.com",
                        "validate-shop-v1-other.constraints.example.com");
    }

    private List<String> create(Shop shop) {
        Collector collector = new Collector();
        validator.validate(shop, collector);
        return collector.texts();
    }

    private List<String> update(Shop stored, Shop shop) {
        Collector collector = new Collector();
        validator.validateUpdate(stored, shop, collector);
        return collector.texts();
    }

    private static Shop shop() {
        Shop shop = new Shop();
        shop.getMetadata().setName("shop");
        shop.setSpec(new ShopSpec());
        return shop;
    }

    private static final class Collector implements Validation {

        private final List<Problem> problems = new ArrayList<>();

        @Override
        public AdmissionRequest<?> request() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void report(Problem problem) {
            problems.add(problem);
        }

        @Override
        public void warn(String message) {}

        @Override
        public List<Problem> problems() {
            return problems;
        }

        List<String> texts() {
            return problems.stream()
                    .map(problem -> problem.field() + ": " + problem.message())
                    .toList();
        }
    }

    /** A kind with a constraint of its own. */
    @Group("constraints.example.com")
    @Version("v1")
    public static class Shop extends CustomResource<ShopSpec, Void> implements Namespaced {

        private static final long serialVersionUID = 1L;

        @com.fasterxml.jackson.annotation.JsonIgnore
        @AssertTrue(message = "the name must be short")
        public boolean isShort() {
            return getMetadata().getName() == null || getMetadata().getName().length() < 10;
        }
    }

    /** Properties whose names in Java and JSON differ. */
    public static class ShopSpec {
        @JsonProperty("replicas")
        @Max(10)
        public int size = 1;

        @JsonProperty("imagePullPolicy")
        @Pattern(regexp = "Always|Never")
        public String pullPolicy = "Always";

        public List<@Valid Door> doors = List.of();

        public Map<String, @NotBlank String> labels = Map.of();
        public List<@NotBlank String> hosts = List.of();

        @Valid
        @JsonUnwrapped
        public Owner owner;

        public Optional<@Valid Note> note = Optional.empty();

        @Null(groups = JakartaValidator.OnCreate.class)
        public String migrated;

        @NotNull(groups = JakartaValidator.OnUpdate.class)
        public String closed = "no";
    }

    /** A record. */
    public record Door(
            @Pattern(regexp = "[a-z]+") String name,
            @NotNull @JsonProperty("open-policy") Policy policy) {}

    /** Part of the spec itself in JSON. */
    public static class Owner {
        @NotNull
        @JsonProperty("ownerName")
        public String name;
    }

    /** A text. */
    public record Note(@Size(max = 3) String text) {}

    /** When a door is open. */
    public enum Policy {
        ALWAYS
    }
}
