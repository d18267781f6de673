package io.github.reconciler4j.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.fixtures.Definitions;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A custom resource of which the server takes more than its class knows. */
@Group("client.test.reconciler4j.io")
@Version("v1")
public class Parcel extends CustomResource<Parcel.Body, Parcel.Body> implements Namespaced {

    private static final long serialVersionUID = 1L;

    /** Its CustomResourceDefinition. */
    static final String CRD = Definitions.of("client.test.reconciler4j.io", "Parcel");

    /** What its specification and its status have in common. */
    public static class Body {
        public String text;
        public Double size;
        public OffsetDateTime at;

        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public String assigned;

        public Detail detail;
        public List<Part> parts;
        public List<Step> steps;
        public List<String> words;
        public Set<Tag> tags;
        public List<Double> numbers;
        public List<OffsetDateTime> times;
        public Map<String, String> map;
        public List<Condition> conditions = new ArrayList<>();
    }

    /** An object within. */
    public static class Detail {
        public String known;
        public Double size;
        public List<Part> parts;
    }

    /** An item with a key. */
    public static class Part {
        public String name;
        public Integer count;
        public OffsetDateTime at;

        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public String assigned;
    }

    /** An item without a key. */
    public static class Step {
        public String run;
        public Integer level;
        public Detail detail;
    }

    /** An item that Java keeps without an order. */
    public static class Tag {
        public String text;

        @Override
        public boolean equals(Object other) {
            return other instanceof Tag tag && Objects.equals(text, tag.text);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(text);
        }
    }
}
