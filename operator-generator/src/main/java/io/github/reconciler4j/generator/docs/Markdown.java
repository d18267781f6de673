package io.github.reconciler4j.generator.docs;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Foreign texts in Markdown: they show as they are, and never end a cell, a row or a paragraph. */
final class Markdown {

    private static final Pattern BREAKS = Pattern.compile("\\r\\n|[\\n\\r\\u000b\\f\\u0085\\u2028\\u2029]");

    /** Characters that are not shown, and those that turn the direction of the text that follows. */
    private static final Pattern HIDDEN =
            Pattern.compile("[\\p{Cc}\\p{Cs}\\ufeff\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufffe\\uffff]");

    private static final String MARKS = "\\`*_[]~!#$";
    private static final String IN_CODE = MARKS + "|<>&";
    private static final Pattern START = Pattern.compile("^(\\d+)([.)])|^([-+=:])");
    private static final Pattern PLAIN_CODE = Pattern.compile("[^|`\\\\\\s](?:[^|`\\\\]*[^|`\\\\\\s])?");

    private Markdown() {}

    /** Returns a text for a cell or a paragraph, in one line. Breaks of lines stay as {@code <br>}. */
    static String text(String text) {
        StringBuilder line = new StringBuilder();
        for (String part : BREAKS.split(text.strip())) {
            line.append(line.isEmpty() ? "" : "<br>").append(inline(part.strip()));
        }
        return line.toString();
    }

    private static String inline(String text) {
        StringBuilder escaped = new StringBuilder();
        HIDDEN.matcher(text.replace('\t', ' ')).replaceAll("").codePoints().forEach(point -> {
            switch (point) {
                case '|' -> escaped.append("&#124;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                default -> escaped.append(MARKS.indexOf(point) < 0 ? "" : "\\").appendCodePoint(point);
            }
        });
        return START.matcher(escaped)
                .replaceFirst(match ->
                        match.group(1) == null ? "\\\\" + match.group(3) : match.group(1) + "\\\\" + match.group(2));
    }

    /** Returns a text as code, with entities if backticks cannot hold it everywhere. */
    static String code(String text) {
        String shown = HIDDEN.matcher(BREAKS.matcher(text.replace("\t", "\\t")).replaceAll("\\\\n"))
                .replaceAll(match -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) match.group().charAt(0)));
        if (PLAIN_CODE.matcher(shown).matches()) {
            return "`" + shown + "`";
        }
        StringBuilder escaped = new StringBuilder("<code>");
        shown.codePoints().forEach(point -> {
            if (IN_CODE.indexOf(point) >= 0) {
                escaped.append("&#").append(point).append(';');
            } else {
                escaped.appendCodePoint(point);
            }
        });
        return escaped.append("</code>").toString();
    }

    /** Returns a row of a table. */
    static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    /** Returns the first two rows of a table. */
    static String head(String... titles) {
        return row(List.of(titles)) + "|" + "---|".repeat(titles.length) + "\n";
    }

    /** Returns an anchor below another. The names of fields can have any character, so the others are written as numbers. */
    static String anchor(String parent, String name) {
        StringBuilder anchor = new StringBuilder(parent).append('/');
        name.codePoints().forEach(point -> {
            boolean plain = point < 128 && (Character.isLetterOrDigit(point) || "-_.".indexOf(point) >= 0);
            if (plain) {
                anchor.appendCodePoint(point);
            } else {
                anchor.append('~').append(Integer.toHexString(point)).append('~');
            }
        });
        return anchor.toString();
    }
}
