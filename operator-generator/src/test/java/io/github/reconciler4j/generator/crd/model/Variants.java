package io.github.reconciler4j.generator.crd.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.github.reconciler4j.crd.ListType;
import io.github.reconciler4j.crd.SchemaDetails;
import io.github.reconciler4j.generator.crd.model.Shapes.Color;
import io.github.reconciler4j.generator.crd.model.Shapes.Level;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;

/** Types whose values are of several classes. */
@SuppressWarnings("serial")
public final class Variants {

    private Variants() {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Bucket.class, name = "bucket"),
        @JsonSubTypes.Type(value = Folder.class, name = "folder")
    })
    public sealed interface Storage {}

    public static final class Bucket implements Storage {
        @Required
        public String region;

        @Max(10)
        public int size;

        public LocalDateTime since;

        public static Bucket of(String region, int size) {
            Bucket bucket = new Bucket();
            bucket.region = region;
            bucket.size = size;
            bucket.since = LocalDateTime.of(2026, 1, 2, 3, 4, 5);
            return bucket;
        }
    }

    public record Folder(String path, Integer size, Level level) implements Storage {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = ClashingNumber.class, name = "number"),
        @JsonSubTypes.Type(value = ClashingText.class, name = "text")
    })
    public interface Clashing {}

    public record ClashingNumber(int value) implements Clashing {}

    public record ClashingText(String value) implements Clashing {}

    /** Keeps its type argument at runtime. */
    public static class StorageMap extends LinkedHashMap<String, Storage> {}

    /** The type id is a property of its own. */
    @JsonTypeInfo(
            use = JsonTypeInfo.Id.NAME,
            include = JsonTypeInfo.As.EXISTING_PROPERTY,
            property = "kind",
            visible = true)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Square.class, name = "square")
    })
    public abstract static class Figure {
        public String kind;
        public Color color = Color.RED;
    }

    public static class Circle extends Figure {
        public int radius = 3;

        public Circle() {
            kind = "circle";
        }
    }

    public static class Square extends Figure {
        public int width = 4;

        public Square() {
            kind = "square";
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Copy.class, name = "copy"),
        @JsonSubTypes.Type(value = Wait.class, name = "wait")
    })
    public interface Step {}

    public record Copy(String from, String to) implements Step {}

    public record Wait(long seconds) implements Step {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
    @JsonSubTypes(@JsonSubTypes.Type(value = Only.class, name = "only"))
    public interface InArray {}

    public record Only(int number) implements InArray {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({@JsonSubTypes.Type(Left.class), @JsonSubTypes.Type(Right.class)})
    public interface Side {}

    public record Left(int left) implements Side {}

    public record Right(String right) implements Side {}

    /** One class has all limits of fields, of which the other has some. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Tight.class, name = "tight"),
        @JsonSubTypes.Type(value = Wide.class, name = "wide")
    })
    public interface Limited {}

    @JsonTypeName("tight")
    public static class Tight implements Limited {
        @Required
        @Min(1)
        @Max(10)
        @Default("5")
        @SchemaDetails(multipleOf = 5)
        @ValidationRule("self < 11")
        private Integer size = 10;

        @Pattern("^[a-z]$")
        @Size(max = 1)
        private String name = "a";

        @ListType(ListType.Merge.SET)
        private List<String> parts = List.of("a");

        @Default("7")
        private Integer own = 8;

        public Integer getSize() {
            return size;
        }

        public void setSize(Integer size) {
            this.size = size;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public List<String> getParts() {
            return parts;
        }

        public void setParts(List<String> parts) {
            this.parts = parts;
        }

        public Integer getOwn() {
            return own;
        }

        public void setOwn(Integer own) {
            this.own = own;
        }
    }

    public record Wide(Integer size, String name, List<String> parts) implements Limited {

        public Wide() {
            this(77, "A long name", List.of("a", "a"));
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    public sealed interface ByClass permits ByClass.One {
        record One(int one) implements ByClass {}
    }
}
