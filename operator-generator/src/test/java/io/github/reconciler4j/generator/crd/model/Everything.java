package io.github.reconciler4j.generator.crd.model;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.crd.AtLeastOneOf;
import io.github.reconciler4j.crd.AtMostOneOf;
import io.github.reconciler4j.crd.EmbeddedResource;
import io.github.reconciler4j.crd.ExactlyOneOf;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.crd.ListType;
import io.github.reconciler4j.crd.MapType;
import io.github.reconciler4j.crd.SchemaDetails;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A kind with everything that a field can be. */
@Group("example.com")
@Version("v1")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Zone", jsonPath = ".spec.zoned", type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "Color", jsonPath = ".spec.color", type = AdditionalPrinterColumn.Type.STRING)
public class Everything extends CustomResource<Everything.Spec, Everything.Status> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** What is wanted. */
    @ExactlyOneOf({"duration", "period"})
    @AtMostOneOf({"instant", "local-date"})
    @AtLeastOneOf(
            value = {"small", "namespace"},
            message = "say small or namespace")
    public static class Spec {

        /** A time span, see {@link Duration} and {@code PT5S}. */
        public Duration duration;

        /**
         * A period &lt; 1 year.
         *
         * <p>With a second paragraph:
         * <ul>
         * <li>one</li>
         * <li>two</li>
         * </ul>
         */
        public Period period;

        public Instant instant;

        @com.fasterxml.jackson.annotation.JsonProperty("local-date")
        public LocalDate localDate;

        public OffsetDateTime offset;
        public ZonedDateTime zoned;
        public UUID uuid;
        public byte[] bytes;
        public BigInteger big;

        @PrinterColumn(name = "Small")
        @JsonPropertyDescription("From the annotation.")
        public int small;

        public Long large;
        public short tiny;
        public double inexact;
        public float lessExact;
        public boolean flag;
        public Quantity quantity;
        public IntOrString intOrString;
        public Color color;
        public String[] array;
        public List<@Pattern("^[a-z]+$") @SchemaDetails(title = "Word") String> words;

        @ListType(ListType.Merge.SET)
        public Set<@SchemaDetails(format = "ipv4") String> addresses;

        @ListType(
                value = ListType.Merge.MAP,
                keys = {"name", "protocol"})
        public List<Port> ports;

        @MapType(MapType.Merge.ATOMIC)
        public Map<String, String> selector;

        public Map<String, Object> free;

        @PreserveUnknownFields
        public Map<String, Object> freeAsWell;

        public Object anything;
        public GenericKubernetesResource resource;

        @EmbeddedResource
        public Map<String, Object> embedded;

        @Immutable
        public String namespace;

        @Required
        @Immutable(message = "stays as it is")
        @SchemaDetails(example = "abc", title = "Fixed", docsUrl = "https://example.com", docsDescription = "More")
        public String fixed;

        @Min(0)
        @Max(100)
        @Default("10")
        @SchemaDetails(multipleOf = 10, example = "20")
        public Integer percent;

        public Nested nested;
        private String viaGetter;

        /**
         * Return a text.
         *
         * @return ignored
         */
        public String getViaGetter() {
            return viaGetter;
        }

        public void setViaGetter(String viaGetter) {
            this.viaGetter = viaGetter;
        }
    }

    /** One of three colors. */
    public enum Color {
        GREEN,
        RED,
        BLUE
    }

    /** A port. */
    public static class Port {
        /** Its name. */
        public String name;

        @Default("TCP")
        public String protocol;

        @Immutable
        public Integer number;
    }

    /**
     * A nested object.
     *
     * @param depth How deep it is.
     */
    @Immutable
    public record Nested(
            int depth,

            @ListType(value = ListType.Merge.MAP, keys = "name")
            List<Port> inner) {}

    /** What is. */
    public static class Status {
        public List<Condition> conditions;
    }
}
