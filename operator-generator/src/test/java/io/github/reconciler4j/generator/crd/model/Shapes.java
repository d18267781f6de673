package io.github.reconciler4j.generator.crd.model;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonPOJOBuilder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Classes of all forms in which Jackson writes values. */
@SuppressWarnings("serial")
public final class Shapes {

    private Shapes() {}

    public enum Color {
        RED,
        GREEN
    }

    public enum Level {
        LOW(1),
        HIGH(9);

        private final int number;

        Level(int number) {
            this.number = number;
        }

        @JsonValue
        public int number() {
            return number;
        }
    }

    public enum Word {
        @JsonProperty("first-word")
        FIRST,
        SECOND;
    }

    public static class Point {
        public int x;
        public Integer y;

        public static Point of(int x, Integer y) {
            Point point = new Point();
            point.x = x;
            point.y = y;
            return point;
        }
    }

    public record Pair(String left, List<Long> right) {}

    public static class Nothing {}

    /** A text in Java, too. */
    public static final class Name {
        private final String text;

        @JsonCreator
        public Name(String text) {
            this.text = text;
        }

        @JsonValue
        public String text() {
            return text;
        }
    }

    /** A map in Java, too. */
    public static final class Labels {
        private final Map<String, Integer> map;

        @JsonCreator
        public Labels(Map<String, Integer> map) {
            this.map = map;
        }

        @JsonValue
        public Map<String, Integer> map() {
            return map;
        }
    }

    public static class PointToText extends StdConverter<Point, String> {
        @Override
        public String convert(Point point) {
            return point.x + "," + point.y;
        }
    }

    public static class TextToPoint extends StdConverter<String, Point> {
        @Override
        public Point convert(String text) {
            String[] parts = text.split(",");
            return Point.of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
    }

    public static class PointToMap extends StdConverter<Point, Map<String, Integer>> {
        @Override
        public Map<String, Integer> convert(Point point) {
            return new LinkedHashMap<>(Map.of("first", point.x, "second", point.y));
        }
    }

    public static class MapToPoint extends StdConverter<Map<String, Integer>, Point> {
        @Override
        public Point convert(Map<String, Integer> map) {
            return Point.of(map.get("first"), map.get("second"));
        }
    }

    @JsonSerialize(converter = SpotToPoint.class)
    @JsonDeserialize(converter = PointToSpot.class)
    public static class Spot {
        public String where = "7/8";
    }

    public static class SpotToPoint extends StdConverter<Spot, Point> {
        @Override
        public Point convert(Spot spot) {
            String[] parts = spot.where.split("/");
            return Point.of(parts[0].length(), parts.length);
        }
    }

    public static class PointToSpot extends StdConverter<Point, Spot> {
        @Override
        public Spot convert(Point point) {
            Spot spot = new Spot();
            spot.where = "x".repeat(point.x) + "/" + point.y;
            return spot;
        }
    }

    /** A number or a name. */
    @JsonSerialize(using = PortWriter.class)
    @JsonDeserialize(using = PortReader.class)
    public static class Port {
        public Integer number;
        public String name;

        public static Port of(Integer number, String name) {
            Port port = new Port();
            port.number = number;
            port.name = name;
            return port;
        }
    }

    public static class PortWriter extends StdSerializer<Port> {
        public PortWriter() {
            super(Port.class);
        }

        @Override
        public void serialize(Port port, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (port.number != null) {
                json.writeNumber(port.number);
            } else {
                json.writeString(port.name);
            }
        }
    }

    public static class PortReader extends StdDeserializer<Port> {
        public PortReader() {
            super(Port.class);
        }

        @Override
        public Port deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return json.currentToken().isNumeric() ? Port.of(json.getIntValue(), null) : Port.of(null, json.getText());
        }
    }

    /** Writes objects whose fields are not known. */
    public static class PointWriter extends StdSerializer<Point> {
        public PointWriter() {
            super(Point.class);
        }

        @Override
        public void serialize(Point point, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartObject();
            json.writeNumberField("z", point.x);
            json.writeEndObject();
        }
    }

    public static class PointReader extends StdDeserializer<Point> {
        public PointReader() {
            super(Point.class);
        }

        @Override
        public Point deserialize(JsonParser json, DeserializationContext context) throws IOException {
            return Point.of(json.readValueAsTree().get("z").toString().length(), null);
        }
    }

    public interface Named {
        String getName();
    }

    public static class NamedImpl implements Named {
        public String name = "a";
        public int extra = 5;

        @Override
        public String getName() {
            return name;
        }
    }

    @JsonDeserialize(as = TitledImpl.class)
    public interface Titled {
        String getTitle();
    }

    public static class TitledImpl implements Titled {
        public String title = "b";
        public boolean bold = true;

        @Override
        public String getTitle() {
            return title;
        }
    }

    public static class Open {
        public String known = "known";
        private final Map<String, Object> more = new LinkedHashMap<>();

        @JsonAnyGetter
        public Map<String, Object> more() {
            return more;
        }

        @JsonAnySetter
        public void put(String name, Object value) {
            more.put(name, value);
        }

        public static Open of(String name, Object value) {
            Open open = new Open();
            open.put(name, value);
            return open;
        }
    }

    /** One that can be unwrapped into others, and unwraps another. */
    public static class Outer {
        public int own = 1;

        @JsonUnwrapped(prefix = "in-", suffix = "-side")
        public Point inner = Point.of(2, 3);
    }

    public static class Box<T> {
        public T content;

        public static <T> Box<T> of(T content) {
            Box<T> box = new Box<>();
            box.content = content;
            return box;
        }
    }

    @JsonDeserialize(builder = Built.Builder.class)
    public static final class Built {
        private final int number;

        private Built(int number) {
            this.number = number;
        }

        public int getNumber() {
            return number;
        }

        @JsonPOJOBuilder(withPrefix = "")
        public static class Builder {
            private int number;

            public Builder number(int number) {
                this.number = number;
                return this;
            }

            public Built build() {
                return new Built(number);
            }
        }
    }

    /** Its constructor refuses most values, also that of a test. */
    public record Strict(int even) {
        public Strict {
            if (even % 2 == 1) {
                throw new IllegalArgumentException("odd");
            }
        }
    }

    /** An interface that cannot be read. */
    public interface Unknown {}
}
