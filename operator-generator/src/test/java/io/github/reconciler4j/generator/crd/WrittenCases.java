package io.github.reconciler4j.generator.crd;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Fields of all types, with all annotations that change how Jackson writes them, as sources. */
final class WrittenCases {

    /** Types, each with an expression for a value. */
    static final List<Type> TYPES = types(
            "String",
            "\"a b\"",
            "int",
            "7",
            "Integer",
            "8",
            "long",
            "5_000_000_000L",
            "Long",
            "5L",
            "short",
            "(short) 3",
            "byte",
            "(byte) 3",
            "boolean",
            "true",
            "Boolean",
            "false",
            "double",
            "1.5",
            "Float",
            "2.5f",
            "char",
            "'x'",
            "BigInteger",
            "BigInteger.valueOf(4)",
            "BigDecimal",
            "new BigDecimal(\"4.5\")",
            "char[]",
            "\"ab\".toCharArray()",
            "byte[]",
            "new byte[] {1, 2}",
            "ByteBuffer",
            "ByteBuffer.wrap(new byte[] {1, 2})",
            "StringBuilder",
            "new StringBuilder(\"ab\")",
            "UUID",
            "UUID.fromString(\"123e4567-e89b-12d3-a456-426614174000\")",
            "URI",
            "URI.create(\"https://example.com\")",
            "Locale",
            "Locale.GERMANY",
            "Currency",
            "Currency.getInstance(\"EUR\")",
            "TimeZone",
            "TimeZone.getTimeZone(\"Europe/Berlin\")",
            "java.util.regex.Pattern",
            "java.util.regex.Pattern.compile(\"a+\")",
            "java.io.File",
            "new java.io.File(\"a\")",
            "Class<?>",
            "String.class",
            "Instant",
            "Instant.parse(\"2026-01-02T03:04:05.006Z\")",
            "LocalDate",
            "LocalDate.of(2026, 1, 2)",
            "LocalDateTime",
            "LocalDateTime.of(2026, 1, 2, 3, 4, 5)",
            "LocalTime",
            "LocalTime.of(3, 4, 5)",
            "OffsetDateTime",
            "OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC)",
            "OffsetTime",
            "OffsetTime.of(3, 4, 5, 0, ZoneOffset.UTC)",
            "ZonedDateTime",
            "ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC)",
            "Year",
            "Year.of(2026)",
            "YearMonth",
            "YearMonth.of(2026, 1)",
            "MonthDay",
            "MonthDay.of(1, 2)",
            "Month",
            "Month.MAY",
            "DayOfWeek",
            "DayOfWeek.MONDAY",
            "ZoneId",
            "ZoneId.of(\"Europe/Berlin\")",
            "ZoneOffset",
            "ZoneOffset.ofHours(2)",
            "Duration",
            "Duration.ofSeconds(90)",
            "Period",
            "Period.ofDays(3)",
            "Date",
            "new Date(1_700_000_000_000L)",
            "Quantity",
            "new Quantity(\"1Gi\")",
            "IntOrString",
            "new IntOrString(\"http\")",
            "JsonNode",
            "JsonNodeFactory.instance.objectNode().put(\"any\", 1)",
            "Object",
            "Map.of(\"any\", List.of(1, \"b\"))",
            "AtomicInteger",
            "new AtomicInteger(4)",
            "AtomicBoolean",
            "new AtomicBoolean(true)",
            "int[]",
            "new int[] {1, 2}",
            "long[]",
            "new long[] {5_000_000_000L}",
            "double[]",
            "new double[] {1.5}",
            "long[][]",
            "new long[][] {{1, 2}, {3}}",
            "boolean[]",
            "new boolean[] {true}",
            "String[]",
            "new String[] {\"a\"}",
            "Properties",
            "properties()",
            "EnumSet<Color>",
            "EnumSet.of(Color.RED)",
            "EnumMap<Color, Point>",
            "new EnumMap<>(Map.of(Color.RED, Point.of(1, 2)))",
            "Map<Level, String>",
            "Map.of(Level.HIGH, \"a\")",
            "Map<LocalDate, Instant>",
            "Map.of(LocalDate.EPOCH, Instant.EPOCH)",
            "Map<Integer, char[]>",
            "Map.of(1, new char[] {'a'})",
            "List<Object>",
            "List.of(1, \"a\", Map.of(\"b\", 2))",
            "Set<LocalTime>",
            "Set.of(LocalTime.NOON)",
            "List<List<LocalDateTime>>",
            "List.of(List.of(LocalDateTime.of(2026, 1, 2, 3, 4, 5)))",
            "AtomicReference<LocalDateTime>",
            "new AtomicReference<>(LocalDateTime.of(2026, 1, 2, 3, 4, 5))",
            "Color",
            "Color.GREEN",
            "Level",
            "Level.HIGH",
            "Word",
            "Word.FIRST",
            "Point",
            "Point.of(1, 2)",
            "Pair",
            "new Pair(\"a\", List.of(5_000_000_000L))",
            "Nothing",
            "new Nothing()",
            "Name",
            "new Name(\"a\")",
            "Labels",
            "new Labels(Map.of(\"a\", 1))",
            "Spot",
            "spot()",
            "Port",
            "Port.of(80, null)",
            "Port",
            "Port.of(null, \"http\")",
            "Storage",
            "Bucket.of(\"eu\", 9)",
            "Storage",
            "new Folder(\"/a\", 77, Level.LOW)",
            "Bucket",
            "Bucket.of(\"eu\", 9)",
            "Figure",
            "new Circle()",
            "Figure",
            "new Square()",
            "Circle",
            "new Circle()",
            "Step",
            "new Copy(\"a\", \"b\")",
            "Step",
            "new Wait(5)",
            "Side",
            "new Left(1)",
            "Side",
            "new Right(\"r\")",
            "ByClass",
            "new ByClass.One(1)",
            "Limited",
            "new Tight()",
            "Limited",
            "new Wide()",
            "Tight",
            "new Tight()",
            "Titled",
            "new TitledImpl()",
            "Open",
            "Open.of(\"more\", Map.of(\"a\", 1))",
            "Outer",
            "new Outer()",
            "Box<LocalDateTime>",
            "Box.of(LocalDateTime.of(2026, 1, 2, 3, 4, 5))",
            "Box<Storage>",
            "Box.of(new Folder(\"/a\", 77, Level.LOW))",
            "Built",
            "new Built.Builder().number(4).build()",
            "Strict",
            "new Strict(2)");

    /** Annotations, each with the type that it is for and a value. */
    static final List<Field> ANNOTATED = List.of(
            field("@JsonFormat(pattern = \"yyyy/MM/dd\")", "LocalDate", "LocalDate.of(2026, 1, 2)"),
            field(
                    "@JsonFormat(pattern = \"dd.MM.yyyy HH:mm:ss\")",
                    "LocalDateTime",
                    "LocalDateTime.of(2026, 1, 2, 3, 4, 5)"),
            field("@JsonFormat(pattern = \"yyyyMMdd\", timezone = \"UTC\")", "Date", "new Date(0)"),
            field("@JsonFormat(pattern = \"yyyy/MM/dd\")", "List<LocalDate>", "List.of(LocalDate.of(2026, 1, 2))"),
            field("@JsonFormat(shape = JsonFormat.Shape.ARRAY)", "LocalDate", "LocalDate.of(2026, 1, 2)"),
            field("@JsonFormat(shape = JsonFormat.Shape.NUMBER_INT)", "LocalDate", "LocalDate.of(2026, 1, 2)"),
            field("@JsonFormat(shape = JsonFormat.Shape.NUMBER)", "Date", "new Date(1_700_000_000_000L)"),
            field("@JsonFormat(shape = JsonFormat.Shape.NUMBER)", "Duration", "Duration.ofMillis(1500)"),
            field("@JsonFormat(pattern = \"HOURS\")", "Duration", "Duration.ofHours(5)"),
            field("@JsonFormat(shape = JsonFormat.Shape.STRING)", "int", "7"),
            field("@JsonFormat(shape = JsonFormat.Shape.STRING)", "Long", "5_000_000_000L"),
            field("@JsonFormat(shape = JsonFormat.Shape.STRING)", "BigDecimal", "new BigDecimal(\"1.50\")"),
            field("@JsonFormat(shape = JsonFormat.Shape.NUMBER)", "Color", "Color.GREEN"),
            field("@JsonFormat(shape = JsonFormat.Shape.NUMBER)", "Boolean", "true"),
            field("@JsonSerialize(using = ToStringSerializer.class)", "Integer", "7"),
            field("@JsonSerialize(using = ToStringSerializer.class)", "long", "5_000_000_000L"),
            field("@JsonSerialize(contentUsing = ToStringSerializer.class)", "List<Integer>", "List.of(7)"),
            field("@JsonSerialize(contentUsing = ToStringSerializer.class)", "Map<String, Long>", "Map.of(\"a\", 7L)"),
            field(
                    converters("converter = PointToText.class", "converter = TextToPoint.class"),
                    "Point",
                    "Point.of(1, 2)"),
            field(
                    converters("converter = PointToMap.class", "converter = MapToPoint.class"),
                    "Point",
                    "Point.of(1, 2)"),
            field(
                    converters("contentConverter = PointToText.class", "contentConverter = TextToPoint.class"),
                    "List<Point>",
                    "List.of(Point.of(1, 2))"),
            field(
                    converters("contentConverter = PointToText.class", "contentConverter = TextToPoint.class"),
                    "Map<String, Point>",
                    "Map.of(\"a\", Point.of(1, 2))"),
            field("@JsonDeserialize(as = NamedImpl.class)", "Named", "new NamedImpl()"),
            field("@JsonDeserialize(contentAs = NamedImpl.class)", "List<Named>", "List.of(new NamedImpl())"),
            field(
                    "@JsonDeserialize(contentAs = NamedImpl.class)",
                    "Map<String, Named>",
                    "Map.of(\"a\", new NamedImpl())"),
            field(
                    "@JsonSerialize(as = Named.class) @JsonDeserialize(as = NamedImpl.class)",
                    "Named",
                    "new NamedImpl()"),
            field("@JsonUnwrapped", "Point", "Point.of(1, 2)"),
            field("@JsonUnwrapped(prefix = \"a-\")", "Point", "Point.of(1, 2)"),
            field("@JsonUnwrapped(prefix = \"b-\", suffix = \"-c\")", "Outer", "new Outer()"),
            field("@JsonUnwrapped(prefix = \"g-\")", "Bucket", "Bucket.of(\"eu\", 2)"),
            field("@JsonProperty(\"other-name\")", "LocalDateTime", "LocalDateTime.of(2026, 1, 2, 3, 4, 5)"),
            field("@JsonInclude(JsonInclude.Include.NON_EMPTY)", "Storage", "new Folder(\"/a\", 77, Level.LOW)"),
            field("@JsonIgnoreProperties(\"y\")", "Point", "Point.of(1, null)"),
            field(
                    "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = \"is\") @JsonSubTypes(@JsonSubTypes.Type(value ="
                            + " NamedImpl.class, name = \"impl\"))",
                    "Named",
                    "new NamedImpl()"),
            field(
                    "@JsonFormat(with = JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)",
                    "List<Integer>",
                    "List.of(7)"),
            field("@JsonSerialize(using = PointWriter.class)", "Point", "Point.of(1, 2)"),
            field(
                    "@PreserveUnknownFields @JsonSerialize(using = PointWriter.class)"
                            + " @JsonDeserialize(using = PointReader.class)",
                    "Point",
                    "Point.of(1, 2)"),
            field("@SchemaFrom(type = String.class) @JsonSerialize(using = ToStringSerializer.class)", "Integer", "7"),
            field("@SchemaFrom(type = String.class)", "Integer", "7"),
            field("@PreserveUnknownFields", "Unknown", "null"),
            field("", "Unknown", "null"),
            field("", "InArray", "new Only(1)"),
            field("", "Optional<String>", "Optional.of(\"a\")"),
            field("", "BitSet", "BitSet.valueOf(new long[] {3})"),
            field("", "Map.Entry<String, Integer>", "Map.entry(\"a\", 1)"),
            field("", "Map<String, List<Storage>>", "Map.of(\"a\", List.of(Bucket.of(\"eu\", 2)))"),
            field("", "StorageMap", "storageMap()"),
            field("@JsonFormat(shape = JsonFormat.Shape.ARRAY)", "Pair", "new Pair(\"a\", List.of(1L))"),
            field(
                    "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXTERNAL_PROPERTY, property = \"is\")"
                            + " @JsonSubTypes(@JsonSubTypes.Type(value = NamedImpl.class, name = \"impl\"))",
                    "Named",
                    "new NamedImpl()"),
            field(
                    "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = \"is\") @JsonSubTypes(@JsonSubTypes.Type(value ="
                            + " NamedImpl.class, name = \"impl\"))",
                    "List<Named>",
                    "List.of(new NamedImpl())"),
            field("@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)", "Point", "Point.of(1, 2)"),
            field("@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)", "Folder", "new Folder(\"/a\", 77, Level.LOW)"),
            field("@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)", "Bucket", "Bucket.of(\"eu\", 2)"),
            field(
                    "@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)",
                    "List<Folder>",
                    "List.of(new Folder(\"/a\", 7, Level.LOW))"),
            field("@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)", "List<Point>", "List.of(Point.of(1, 2))"),
            field("@JsonProperty(\"a.b\")", "Point", "Point.of(1, 2)"),
            field("@JsonProperty(\"$ref\")", "Point", "Point.of(1, 2)"),
            field("@JsonFormat(shape = JsonFormat.Shape.STRING)", "List<Integer>", "List.of(1)"),
            field("@JsonFormat(shape = JsonFormat.Shape.NUMBER)", "List<Color>", "List.of(Color.RED)"),
            field("", "AtomicLong", "new AtomicLong(5)"),
            field("", "OptionalInt", "OptionalInt.of(4)"),
            field("", "Number", "7"),
            field("", "Calendar", "new GregorianCalendar(2026, 1, 2)"),
            field("", "byte[][]", "new byte[][] {{1}}"),
            field("", "Map<UUID, Duration>", "Map.of(new UUID(1, 2), Duration.ofDays(1))"),
            field(
                    "",
                    "io.fabric8.kubernetes.api.model.MicroTime",
                    "new io.fabric8.kubernetes.api.model.MicroTime(\"2026-01-02T03:04:05.000006Z\")"),
            field(
                    "",
                    "io.fabric8.kubernetes.api.model.Condition",
                    "new io.fabric8.kubernetes.api.model.ConditionBuilder().withType(\"A\").withStatus(\"True\").build()"),
            field("@JsonRawValue", "String", "\"{}\""));

    /** Where a type can be. */
    enum Place {
        PLAIN("%s", "%s"),
        LIST("List<%s>", "new ArrayList<>(Collections.singletonList(%s))"),
        MAP("Map<String, %s>", "new LinkedHashMap<>(Map.of(\"key\", %s))"),
        BOX("Box<%s>", "Box.of(%s)"),
        LISTS("List<Map<String, %s>>", "new ArrayList<>(List.of(new HashMap<>(Map.of(\"key\", %s))))");

        private final String type;
        private final String value;

        Place(String type, String value) {
            this.type = type;
            this.value = value;
        }

        Field of(Type content) {
            String name = this == PLAIN ? content.name() : boxed(content.name());
            return new Field("", type.formatted(name), value.formatted(content.value()));
        }

        private static String boxed(String type) {
            Map<String, String> boxes = Map.of("int", "Integer", "char", "Character");
            boolean isPrimitive = type.matches("[a-z]+");
            return isPrimitive
                    ? boxes.getOrDefault(type, type.substring(0, 1).toUpperCase() + type.substring(1))
                    : type;
        }
    }

    record Type(String name, String value) {}

    record Field(String annotations, String type, String value) {

        @Override
        public String toString() {
            return (annotations + " " + type).strip();
        }
    }

    private WrittenCases() {}

    private static List<Type> types(String... pairs) {
        List<Type> types = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            types.add(new Type(pairs[i], pairs[i + 1]));
        }
        return List.copyOf(types);
    }

    private static Field field(String annotations, String type, String value) {
        return new Field(annotations, type, value);
    }

    private static String converters(String written, String read) {
        return "@JsonSerialize(" + written + ") @JsonDeserialize(" + read + ")";
    }

    /** A class in itself counts as a cycle, whatever its type arguments are. */
    private static boolean isCycle(Place place, Type type) {
        return place == Place.BOX && type.name().startsWith("Box<");
    }

    /** Return each annotation, and each type in each place. */
    static List<Field> all() {
        List<Field> fields = new ArrayList<>(ANNOTATED);
        for (Type type : TYPES) {
            for (Place place : Place.values()) {
                if (!isCycle(place, type)) {
                    fields.add(place.of(type));
                }
            }
        }
        return fields;
    }

    static Field draw(Random random) {
        if (random.nextInt(3) == 0) {
            return ANNOTATED.get(random.nextInt(ANNOTATED.size()));
        }
        Place place = Place.values()[random.nextInt(Place.values().length)];
        Type type = TYPES.get(random.nextInt(TYPES.size()));
        return isCycle(place, type) ? draw(random) : place.of(type);
    }
}
