package io.github.reconciler4j.generator.crd.model;

import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.AnyType;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.crd.ExactlyOneOf;
import io.github.reconciler4j.crd.Immutable;
import io.github.reconciler4j.crd.ListType;
import io.github.reconciler4j.crd.MapType;
import io.github.reconciler4j.crd.SchemaDetails;
import java.util.List;
import java.util.Optional;

/** Kinds that have something wrong with them. */
@SuppressWarnings("serial")
public final class Mistakes {

    private Mistakes() {}

    @Group("example.com")
    @Version("v1")
    public static class MapWithoutKeys extends CustomResource<MapWithoutKeys.Spec, Void> {
        public static class Spec {
            @ListType(ListType.Merge.MAP)
            public List<Item> items;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class UnknownKey extends CustomResource<UnknownKey.Spec, Void> {
        public static class Spec {
            @ListType(value = ListType.Merge.MAP, keys = "nam")
            public List<Item> items;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class ListTypeOnText extends CustomResource<ListTypeOnText.Spec, Void> {
        public static class Spec {
            @ListType(ListType.Merge.SET)
            public String text;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class MapTypeOnNumber extends CustomResource<MapTypeOnNumber.Spec, Void> {
        public static class Spec {
            @MapType(MapType.Merge.ATOMIC)
            public int number;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class MaxOnText extends CustomResource<MaxOnText.Spec, Void> {
        public static class Spec {
            @Max(10)
            public String text;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class MinOnList extends CustomResource<MinOnList.Spec, Void> {
        public static class Spec {
            @Min(1)
            public List<String> list;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class PatternOnNumber extends CustomResource<PatternOnNumber.Spec, Void> {
        public static class Spec {
            @Pattern("[0-9]+")
            public int number;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class SizeOnNumber extends CustomResource<SizeOnNumber.Spec, Void> {
        public static class Spec {
            @Size(max = 10)
            public int number;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class ImmutableInAtomicList extends CustomResource<ImmutableInAtomicList.Spec, Void> {
        public static class Spec {
            public List<Fixed> items;
        }

        public static class Fixed {
            @Immutable
            public String name;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class CostlyRule extends CustomResource<CostlyRule.Spec, Void> {
        public static class Spec {
            @ValidationRule("self.all(x, self.exists_one(y, x == y))")
            public List<String> texts;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class UnknownField extends CustomResource<UnknownField.Spec, Void> {
        @ExactlyOneOf({"name", "nmae"})
        public static class Spec {
            public String name;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class OneChoice extends CustomResource<OneChoice.Spec, Void> {
        public static class Spec {
            public Choice choice;
        }

        @ExactlyOneOf("name")
        public static class Choice {
            public String name;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class NotWritten extends CustomResource<NotWritten.Spec, Void> {
        public static class Spec {
            public List<Part> parts;
        }

        public static class Part {
            private String name;

            public String getName() {
                if (name != null) {
                    throw new IllegalStateException("it has no name");
                }
                return "";
            }

            public void setName(String name) {
                this.name = name;
            }
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class RuleDoesNotCompile extends CustomResource<RuleDoesNotCompile.Spec, Void> {
        @ValidationRule(value = "self.nmae == 'x'", message = "no")
        public static class Spec {
            public String name;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class DefaultOutOfRange extends CustomResource<DefaultOutOfRange.Spec, Void> {
        public static class Spec {
            @Max(5)
            @Default("6")
            public Integer number;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class DefaultOfAnotherType extends CustomResource<DefaultOfAnotherType.Spec, Void> {
        public static class Spec {
            public List<Part> parts;

            @Default("any: thing: there")
            public String text;
        }

        public static class Part {
            @Default("2")
            public int good;

            @Default("abc")
            public int size;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class ExampleOutOfRange extends CustomResource<ExampleOutOfRange.Spec, Void> {
        public static class Spec {
            @Max(5)
            @SchemaDetails(example = "6")
            public Integer number;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class OptionalField extends CustomResource<OptionalField.Spec, Void> {
        public static class Spec {
            public Optional<String> text;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class CycleThatEnds extends CustomResource<CycleThatEnds.Node, Void> {
        public static class Node {
            @SchemaFrom(type = AnyType.class)
            public Node next;
        }
    }

    @Group("example.com")
    @Version("v1")
    public static class Cycle extends CustomResource<Cycle.Node, Void> {
        public static class Node {
            public Node next;
        }
    }

    @Group("example.com")
    @Version("v1")
    @Kind("Twin")
    @Plural("twins")
    public static class StoredTwice extends CustomResource<Item, Void> {}

    @Group("example.com")
    @Version("v2")
    @Kind("Twin")
    @Plural("twins")
    public static class StoredTwiceToo extends CustomResource<Item, Void> {}

    public static class Item {
        public String name;
    }
}
