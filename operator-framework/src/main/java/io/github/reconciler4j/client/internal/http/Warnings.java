package io.github.reconciler4j.client.internal.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code Warning} headers: {@code 299 - "the text"}, several of them in one header with commas between. */
public final class Warnings {

    private static final Pattern WARNING = Pattern.compile("\\d{3} \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

    private Warnings() {}

    public static List<String> of(List<String> headers) {
        if (headers.isEmpty()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (String header : headers) {
            Matcher warning = WARNING.matcher(header);
            while (warning.find()) {
                texts.add(warning.group(1).replaceAll("\\\\(.)", "$1"));
            }
        }
        return List.copyOf(texts);
    }
}
