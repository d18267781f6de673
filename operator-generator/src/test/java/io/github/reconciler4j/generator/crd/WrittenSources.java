package io.github.reconciler4j.generator.crd;

import io.github.reconciler4j.generator.crd.WrittenCases.Field;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sources of kinds with fields called {@code field0} and so on, and a method that makes a sample. */
final class WrittenSources {

    static final String PACKAGE = "io.github.reconciler4j.generator.crd.drawn";

    private static final String HEAD = """
            package %s;

            import com.fasterxml.jackson.annotation.*;
            import com.fasterxml.jackson.databind.*;
            import com.fasterxml.jackson.databind.annotation.*;
            import com.fasterxml.jackson.databind.node.*;
            import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
            import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
            import io.fabric8.crd.generator.annotation.SchemaFrom;
            import io.fabric8.kubernetes.api.model.IntOrString;
            import io.fabric8.kubernetes.api.model.Quantity;
            import io.fabric8.kubernetes.client.CustomResource;
            import io.fabric8.kubernetes.model.annotation.*;
            import io.github.reconciler4j.generator.crd.model.Shapes.*;
            import io.github.reconciler4j.generator.crd.model.Variants.*;
            import java.math.*;
            import java.net.*;
            import java.nio.ByteBuffer;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.atomic.*;

            """.formatted(PACKAGE);

    /** How a class has its fields. */
    enum Style {
        PUBLIC,
        PRIVATE,
        RECORD
    }

    private static final String TAIL = """
            public static %1$s sample() {
                %2$s
                %1$s made = new %1$s();
                made.setSpec(spec);
                return made;
            }

            static Properties properties() {
                Properties all = new Properties();
                all.put("a", "b");
                return all;
            }

            static StorageMap storageMap() {
                StorageMap map = new StorageMap();
                map.put("a", Bucket.of("eu", 2));
                return map;
            }

            static Spot spot() {
                Spot spot = new Spot();
                spot.where = "xx/2";
                return spot;
            }
            }
            """;

    private WrittenSources() {}

    static String of(String kind, Style style, List<Field> fields) {
        String start = "@Group(\"drawn.example.com\") @Version(\"v1\")\npublic class " + kind
                + " extends CustomResource<" + kind + ".Spec, Void> {\n";
        return HEAD
                + start
                + (style == Style.RECORD ? components(fields) : bean(fields, style))
                + TAIL.formatted(kind, sample(style, fields));
    }

    private static String components(List<Field> fields) {
        return IntStream.range(0, fields.size())
                .mapToObj(i -> fields.get(i) + " field" + i)
                .collect(Collectors.joining(", ", "public record Spec(", ") {}\n"));
    }

    private static String bean(List<Field> fields, Style style) {
        return IntStream.range(0, fields.size())
                .mapToObj(i -> member(fields.get(i), i, style))
                .collect(Collectors.joining("", "public static class Spec {\n", "}\n"));
    }

    private static String sample(Style style, List<Field> fields) {
        if (style == Style.RECORD) {
            return fields.stream().map(Field::value).collect(Collectors.joining(", ", "Spec spec = new Spec(", ");"));
        }
        return IntStream.range(0, fields.size())
                .mapToObj(i -> "spec.field" + i + " = " + fields.get(i).value() + ";\n")
                .collect(Collectors.joining("", "Spec spec = new Spec();\n", ""));
    }

    private static String member(Field field, int index, Style style) {
        if (style == Style.PUBLIC) {
            return field.annotations() + " public " + field.type() + " field" + index + ";\n";
        }
        return """
                %1$s private %2$s field%3$d;
                public %2$s getField%3$d() { return field%3$d; }
                public void setField%3$d(%2$s value) { field%3$d = value; }
                """.formatted(field.annotations(), field.type(), index);
    }
}
