package io.github.reconciler4j.grid;

import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Values that a caller can pass by mistake, or on purpose. */
final class HostileValues {

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "/",
            "a/b",
            "../..",
            ".",
            "%2F",
            "a\u0000b",
            "\r\nX-Header: y",
            "\u007F",
            "\u0085",
            "\u00E9",
            "\uD83D\uDE00",
            "\uD800",
            "\uDC00x",
            "\u202Eabc",
            "\uFEFFa",
            "a\u2028b",
            "\uFFFF",
            "UPPER",
            "-",
            "a..b",
            "a=b,",
            "a in (",
            "a in (b,c",
            "!",
            "!!a",
            "a==b=c",
            "((((",
            "{}",
            "{\"a\":",
            "$(x) ${y} #{z} {{w}}",
            "'; --",
            "*",
            "a:b:c",
            "a?b#c&d=e",
            "0",
            "-1",
            "null",
            "x".repeat(254),
            "x".repeat(100_000));

    private static final List<Duration> DURATIONS = List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(-1),
            Duration.ofSeconds(-1),
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofMillis(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
            Duration.ofSeconds(Long.MIN_VALUE));

    private HostileValues() {}

    /** The hostile values of a parameter, none if the parameter is of no interest. */
    static List<Object> of(Class<?> type, Type generic, long seed) {
        if (type == String.class) {
            return new ArrayList<>(texts(seed));
        }
        if (type == Duration.class) {
            return new ArrayList<>(DURATIONS);
        }
        if (type == int.class) {
            return List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        if (type == long.class) {
            return List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (type == double.class) {
            return List.of(0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE);
        }
        return ofCollections(type, generic, seed);
    }

    private static List<Object> ofCollections(Class<?> type, Type generic, long seed) {
        if (type == String[].class) {
            return texts(seed).stream().<Object>map(text -> new String[] {text}).toList();
        }
        if (type == double[].class) {
            return List.of(new double[0], new double[] {2, 1}, new double[] {Double.NaN});
        }
        if (!(generic instanceof ParameterizedType parameters)
                || parameters.getActualTypeArguments()[0] != String.class) {
            return List.of();
        }
        if (Map.class == type) {
            Type value = parameters.getActualTypeArguments()[1];
            return value == String.class
                    ? texts(seed).stream()
                            .<Object>map(text -> Map.of(text, text))
                            .toList()
                    : List.of();
        }
        if (type == Optional.class) {
            return texts(seed).stream().<Object>map(Optional::of).toList();
        }
        return !Collection.class.isAssignableFrom(type)
                ? List.of()
                : texts(seed).stream()
                        .<Object>map(text -> type == Set.class ? Set.of(text) : List.of(text))
                        .toList();
    }

    private static List<String> texts(long seed) {
        List<String> texts = new ArrayList<>(TEXTS);
        Random random = new Random(seed);
        for (int i = 0; i < 10; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j <= i; j++) {
                text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    /** A value in words. */
    static String show(Object value) {
        Object plain = value.getClass().isArray() && Array.getLength(value) == 1 ? Array.get(value, 0) : value;
        String text = String.valueOf(plain);
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(30)
                .forEach(c -> shown.append(c >= ' ' && c < 127 ? Character.toString(c) : String.format("\\u%04x", c)));
        return shown + (text.length() > 30 ? "... (" + text.length() + ")" : "");
    }
}
