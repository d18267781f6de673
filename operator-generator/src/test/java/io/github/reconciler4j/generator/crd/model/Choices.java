package io.github.reconciler4j.generator.crd.model;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.crd.AtLeastOneOf;
import io.github.reconciler4j.crd.AtMostOneOf;
import io.github.reconciler4j.crd.ExactlyOneOf;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.crd.ListType;
import java.util.List;
import java.util.Map;

/** A kind whose annotations with rules are on items of lists and values of maps without a limit. */
@Group("example.com")
@Version("v1")
@SuppressWarnings("serial")
public class Choices extends CustomResource<Choices.Spec, Void> implements Namespaced {

    public static class Spec {
        public List<Exactly> exactly;
        public Map<String, AtMost> atMost;
        public List<AtLeast> atLeast;
        public List<Many> many;

        @ListType(value = ListType.Merge.MAP, keys = "name")
        public List<Part> parts;
    }

    @ExactlyOneOf({"a", "b", "c", "d"})
    public static class Exactly extends Fields {}

    @AtMostOneOf({"a", "b", "c", "d"})
    public static class AtMost extends Fields {}

    @AtLeastOneOf({"a", "b", "c", "d"})
    public static class AtLeast extends Fields {}

    public static class Fields {
        public String a;
        public List<String> b;
        public Integer c;
        public Map<String, String> d;
    }

    @ExactlyOneOf({"a", "b", "c", "d", "e", "f", "g", "h"})
    public static class Many {
        public String a;
        public String b;
        public String c;
        public String d;
        public String e;
        public String f;
        public String g;
        public String h;
    }

    public static class Part {
        public String name;

        @Immutable
        public String size;

        @Immutable(message = "words stay")
        public List<String> words;

        @Immutable
        public Integer number;

        @Immutable
        public Map<String, String> labels;
    }
}
