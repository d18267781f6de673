package io.github.reconciler4j.spring.autoconfigure.observation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Reads the spans of an OTLP request: {@code ExportTraceServiceRequest} in the encoding of Protocol Buffers. */
final class OtlpSpans {

    private OtlpSpans() {}

    record Span(String traceId, String spanId, String parentId, String name, Map<String, String> attributes) {}

    static List<Span> read(byte[] request) {
        List<Span> spans = new ArrayList<>();
        fields(
                request,
                (resource, resourceSpans) -> fields(resourceSpans, (scope, scopeSpans) -> {
                    if (scope == 2) {
                        fields(scopeSpans, (field, span) -> {
                            if (field == 2) {
                                spans.add(span(span));
                            }
                        });
                    }
                }));
        return spans;
    }

    private static Span span(byte[] message) {
        String[] ids = {"", "", "", ""};
        Map<String, String> attributes = new TreeMap<>();
        fields(message, (field, value) -> {
            switch (field) {
                case 1, 2 -> ids[field - 1] = HexFormat.of().formatHex(value);
                case 4 -> ids[2] = HexFormat.of().formatHex(value);
                case 5 -> ids[3] = text(value);
                case 9 -> attribute(value, attributes);
                default -> {}
            }
        });
        return new Span(ids[0], ids[1], ids[2], ids[3], attributes);
    }

    private static void attribute(byte[] message, Map<String, String> attributes) {
        String[] entry = {"", ""};
        fields(message, (field, value) -> {
            if (field == 1) {
                entry[0] = text(value);
            } else {
                fields(value, (type, content) -> entry[1] = type == 1 ? text(content) : entry[1]);
            }
        });
        attributes.put(entry[0], entry[1]);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Pass on each field of a message that has a length; skip numbers. */
    private static void fields(byte[] message, BiConsumer<Integer, byte[]> field) {
        int[] at = {0};
        while (at[0] < message.length) {
            long tag = number(message, at);
            switch ((int) (tag & 7)) {
                case 0 -> number(message, at);
                case 1 -> at[0] += 8;
                case 2 -> {
                    int length = (int) number(message, at);
                    byte[] value = new byte[length];
                    System.arraycopy(message, at[0], value, 0, length);
                    at[0] += length;
                    field.accept((int) (tag >>> 3), value);
                }
                case 5 -> at[0] += 4;
                default -> throw new IllegalArgumentException("wire type of tag " + tag);
            }
        }
    }

    private static long number(byte[] message, int[] at) {
        long number = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = message[at[0]++];
            number |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
    }
}
