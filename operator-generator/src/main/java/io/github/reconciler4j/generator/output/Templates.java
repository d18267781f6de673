package io.github.reconciler4j.generator.output;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Texts among the resources, in which {@code @name@} stands for a value. The lines between {@code @if name@} and {@code @end@} are
 * left out if the value is empty.
 */
final class Templates {

    private static final Pattern SECTION = Pattern.compile("(?ms)^@if ([A-Za-z]+)@\\n(.*?)^@end@\\n");
    private static final Pattern MARK = Pattern.compile("@([A-Za-z]+)@");

    private Templates() {}

    static String read(String path) {
        try (InputStream stream = Objects.requireNonNull(Templates.class.getResourceAsStream(path), path)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a text with values put in, which are not searched for marks themselves. A line that holds nothing but an empty value is left out. */
    static String fill(String text, Map<String, String> values) {
        String template = SECTION.matcher(text)
                .replaceAll(section -> values.getOrDefault(section.group(1), "").isEmpty()
                        ? ""
                        : Matcher.quoteReplacement(section.group(2)));
        for (Map.Entry<String, String> value : values.entrySet()) {
            if (value.getValue().isEmpty()) {
                template = template.replaceAll("(?m)^[ \\t]*@" + value.getKey() + "@\n", "");
            }
        }
        return MARK.matcher(template)
                .replaceAll(mark -> Matcher.quoteReplacement(values.getOrDefault(mark.group(1), mark.group())));
    }

    /** Returns lines with blanks before those that are not empty, without a line break at the end. */
    static String indent(String text, int blanks) {
        return text.lines()
                .map(line -> line.isEmpty() ? line : " ".repeat(blanks) + line)
                .collect(Collectors.joining("\n"));
    }
}
