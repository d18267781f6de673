package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** Sample values of types that have no properties: those of the JDK that Jackson knows, enums, and some of fabric8. */
final class SampleLeaves {

    private static final Instant INSTANT = Instant.parse("2026-11-22T13:14:15.123456789Z");
    private static final LocalDateTime DATE_TIME = LocalDateTime.of(2026, 11, 22, 13, 14, 15, 123_000_000);
    private static final ZoneOffset OFFSET = ZoneOffset.ofHoursMinutes(5, 30);

    private static final Map<Class<?>, List<?>> VALUES = new HashMap<>();

    static {
        texts();
        numbers();
        times();
        places();
        kubernetes();
    }

    private SampleLeaves() {}

    /** Return the samples of a type, none if it has properties or is not known. */
    static List<?> of(JavaType type) {
        Class<?> raw = type.getRawClass();
        if (type.isEnumType()) {
            Class<?> declaring = raw.isEnum() || raw.getSuperclass() == null ? raw : raw.getSuperclass();
            Object[] constants = declaring.getEnumConstants();
            return constants == null
                    ? List.of()
                    : Arrays.stream(constants)
                            .filter(constant -> !isIgnored((Enum<?>) constant))
                            .toList();
        }
        List<?> values = VALUES.get(raw);
        return values == null ? List.of() : values;
    }

    private static boolean isIgnored(Enum<?> constant) {
        try {
            return constant.getDeclaringClass().getField(constant.name()).isAnnotationPresent(JsonIgnore.class);
        } catch (NoSuchFieldException e) {
            return false;
        }
    }

    private static void put(Class<?> type, Object... values) {
        VALUES.put(type, List.of(values));
    }

    private static void texts() {
        put(String.class, "text");
        put(CharSequence.class, "text");
        put(StringBuilder.class, new StringBuilder("text"));
        put(StringBuffer.class, new StringBuffer("text"));
        put(char.class, 'c');
        put(Character.class, 'c');
        put(char[].class, (Object) new char[] {'a', 'b'});
        put(byte[].class, (Object) new byte[] {1, 2, 3, 4});
        put(ByteBuffer.class, ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
        put(UUID.class, UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
        put(Pattern.class, Pattern.compile("a+"));
        put(Class.class, String.class);
        put(boolean.class, true, false);
        put(Boolean.class, true, false);
        put(AtomicBoolean.class, new AtomicBoolean(true));
        put(Object.class, "text");
    }

    private static void numbers() {
        put(byte.class, (byte) 7);
        put(Byte.class, (byte) 7);
        put(short.class, (short) 7);
        put(Short.class, (short) 7);
        put(int.class, 7);
        put(Integer.class, 7);
        put(long.class, 7L);
        put(Long.class, 7L);
        put(float.class, 1.5f);
        put(Float.class, 1.5f);
        put(double.class, 1.5);
        put(Double.class, 1.5);
        put(BigInteger.class, BigInteger.valueOf(Long.MAX_VALUE));
        put(BigDecimal.class, new BigDecimal("1.5"));
        put(AtomicInteger.class, new AtomicInteger(7));
        put(AtomicLong.class, new AtomicLong(7));
        put(Number.class, 7, 1.5);
    }

    private static void times() {
        put(Instant.class, INSTANT);
        put(OffsetDateTime.class, DATE_TIME.atOffset(OFFSET));
        put(ZonedDateTime.class, DATE_TIME.atZone(OFFSET), DATE_TIME.atZone(ZoneId.of("Europe/Berlin")));
        put(LocalDateTime.class, DATE_TIME);
        put(LocalDate.class, DATE_TIME.toLocalDate());
        put(LocalTime.class, DATE_TIME.toLocalTime());
        put(OffsetTime.class, DATE_TIME.toLocalTime().atOffset(OFFSET));
        put(Year.class, Year.of(2026));
        put(YearMonth.class, YearMonth.of(2026, 11));
        put(MonthDay.class, MonthDay.of(11, 22));
        put(Month.class, (Object[]) Month.values());
        put(DayOfWeek.class, (Object[]) DayOfWeek.values());
        put(Duration.class, Duration.ofDays(1).plusSeconds(5).plusMillis(7));
        put(Period.class, Period.of(1, 2, 3));
        put(ZoneId.class, ZoneId.of("Europe/Berlin"));
        put(ZoneOffset.class, OFFSET);
        put(Date.class, Date.from(INSTANT));
        put(Timestamp.class, Timestamp.from(INSTANT));
        put(java.sql.Date.class, java.sql.Date.valueOf(DATE_TIME.toLocalDate()));
        put(java.sql.Time.class, java.sql.Time.valueOf(DATE_TIME.toLocalTime()));
        GregorianCalendar calendar = GregorianCalendar.from(DATE_TIME.atZone(OFFSET));
        put(Calendar.class, calendar);
        put(GregorianCalendar.class, calendar);
        put(TimeZone.class, TimeZone.getTimeZone("Europe/Berlin"));
    }

    private static void places() {
        put(URI.class, URI.create("https://example.com/a"));
        try {
            put(URL.class, URI.create("https://example.com/a").toURL());
            put(InetAddress.class, InetAddress.getByAddress(new byte[] {10, 0, 0, 1}));
            put(InetSocketAddress.class, new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, 1}), 80));
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
        put(File.class, new File("file"));
        put(Path.class, Path.of("file").toAbsolutePath());
        put(Locale.class, Locale.GERMANY);
        put(Currency.class, Currency.getInstance("EUR"));
        put(Charset.class, StandardCharsets.UTF_8);
    }

    private static void kubernetes() {
        put(Quantity.class, new Quantity("1Gi"), new Quantity("1"));
        put(IntOrString.class, new IntOrString(80), new IntOrString("http"));
        GenericKubernetesResource resource = new GenericKubernetesResource();
        resource.setApiVersion("v1");
        resource.setKind("ConfigMap");
        resource.setMetadata(new ObjectMetaBuilder().withName("sample").build());
        for (Class<?> type : List.of(
                GenericKubernetesResource.class,
                KubernetesResource.class,
                io.fabric8.kubernetes.api.model.HasMetadata.class)) {
            put(type, resource);
        }
        JsonNodeFactory json = JsonNodeFactory.instance;
        put(com.fasterxml.jackson.databind.JsonNode.class, json.objectNode().put("any", 1), json.textNode("text"));
        put(
                com.fasterxml.jackson.databind.node.ObjectNode.class,
                json.objectNode().put("any", 1));
        put(
                com.fasterxml.jackson.databind.node.ArrayNode.class,
                json.arrayNode().add(1));
    }
}
