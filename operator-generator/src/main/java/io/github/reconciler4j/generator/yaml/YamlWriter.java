package io.github.reconciler4j.generator.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes one tree. Long texts are folded, texts with line breaks are blocks, everything else stays on its line. */
final class YamlWriter {

    private static final int WIDTH = 100;

    /** Scalars without quotes: no indicator at the start, none of {@code ": "} and {@code " #"}, no trailing blank. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z0-9_./$(<^+=][^\\x00-\\x1f\\x7f-\\uffff]*", Pattern.DOTALL);

    /** What YAML 1.1 or 1.2 takes for something else than a string. */
    private static final Pattern NOT_A_STRING = Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n|=|<<"
            + "|[-+]?(0b[01_]+|0x[0-9a-f_]+|0o?[0-7_]+|[0-9][0-9_]*(:[0-5]?[0-9])*(\\.[0-9_]*)?(e[-+]?[0-9]+)?)"
            + "|[-+]?\\.[0-9_]+(e[-+]?[0-9]+)?|[-+]?\\.(inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*");

    private final StringBuilder out = new StringBuilder();
    private final boolean template;

    /**
     * Creates a writer of one tree.
     *
     * @param template whether braces in texts must not become expressions of Helm
     */
    YamlWriter(boolean template) {
        this.template = template;
    }

    String write(Object tree, int blanks) {
        node(tree, blanks, false);
        return out.toString();
    }

    /** Writes a node whose key or dash stands at the end of the output. */
    private void node(@Nullable Object node, int indent, boolean inline) {
        if (node instanceof Map<?, ?> map && !map.isEmpty()) {
            map(map, indent, inline);
        } else if (node instanceof List<?> list && !list.isEmpty()) {
            list(list, indent, inline);
        } else {
            scalar(node, indent);
        }
    }

    private void map(Map<?, ?> map, int indent, boolean inline) {
        boolean first = inline;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!first) {
                out.append(" ".repeat(indent));
            }
            first = false;
            add(oneLine(String.valueOf(entry.getKey()))).append(':');
            value(entry.getValue(), indent);
        }
    }

    /** Lists stand below their key without indentation, as {@code kubectl} writes them. */
    private void value(@Nullable Object value, int indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n');
            map(map, indent + 2, false);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            out.append('\n');
            list(list, indent, false);
        } else {
            out.append(' ');
            scalar(value, indent + 2);
        }
    }

    private void list(List<?> list, int indent, boolean inline) {
        boolean first = inline;
        for (Object item : list) {
            if (!first) {
                out.append(" ".repeat(indent));
            }
            first = false;
            out.append("- ");
            node(item, indent + 2, true);
        }
    }

    private void scalar(@Nullable Object value, int indent) {
        if (value instanceof Map<?, ?>) {
            out.append("{}\n");
        } else if (value instanceof List<?>) {
            out.append("[]\n");
        } else if (value instanceof Yaml.Raw raw) {
            out.append(raw.text()).append('\n');
        } else if (value instanceof String text) {
            text(text, indent);
        } else if (value instanceof Number number) {
            out.append(number(number)).append('\n');
        } else {
            out.append(value).append('\n');
        }
    }

    /** Whole numbers without a fraction, however they are held; what is not finite as YAML names it. */
    private static String number(Number number) {
        double value = number.doubleValue();
        if (Double.isNaN(value)) {
            return ".nan";
        }
        if (Double.isInfinite(value) && !(number instanceof BigDecimal || number instanceof BigInteger)) {
            return value > 0 ? ".inf" : "-.inf";
        }
        if (number instanceof Double || number instanceof Float || number instanceof BigDecimal) {
            BigDecimal decimal = new BigDecimal(number.toString()).stripTrailingZeros();
            return decimal.scale() <= 0 ? decimal.toBigInteger().toString() : decimal.toPlainString();
        }
        return number.toString();
    }

    private void text(String text, int indent) {
        if (text.length() > WIDTH - indent && text.indexOf(' ') >= 0 && isFoldable(text)) {
            folded(text, Math.max(indent, 2));
        } else if (text.indexOf('\n') >= 0 && isBlock(text)) {
            block(text, Math.max(indent, 2));
        } else {
            add(oneLine(text)).append('\n');
        }
    }

    /** Adds a text after its quotes, which an expression needs, too. */
    private StringBuilder add(String text) {
        return out.append(template ? text.replace("{{", "{{ \"{{\" }}") : text);
    }

    /** Folding changes only single blanks and line breaks between words, so other white space rules it out. */
    private static boolean isFoldable(String text) {
        return isPrintable(text)
                && !text.contains("  ")
                && !text.contains(" \n")
                && !text.contains("\n ")
                && !text.startsWith(" ")
                && !text.startsWith("\n")
                && !text.endsWith(" ")
                && !text.endsWith("\n")
                && text.indexOf('\t') < 0;
    }

    private static boolean isBlock(String text) {
        return isPrintable(text)
                && !text.isBlank()
                && !text.startsWith(" ")
                && !text.startsWith("\n")
                && !text.contains(" \n");
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c == '\n' || c == '\t' || c >= 0x20 && c < 0x7f || c >= 0xa0 && c < 0xd800)
                && text.indexOf('\u2028') < 0
                && text.indexOf('\u2029') < 0;
    }

    private void folded(String text, int indent) {
        out.append(">-\n");
        String margin = " ".repeat(indent);
        boolean first = true;
        for (String paragraph : text.split("\n", -1)) {
            if (!first) {
                out.append('\n');
            }
            first = false;
            int column = 0;
            for (String word : paragraph.isEmpty() ? new String[0] : paragraph.split(" ")) {
                if (column > 0 && column + 1 + word.length() <= Math.max(WIDTH - indent, 40)) {
                    out.append(' ');
                    add(word);
                    column += 1 + word.length();
                } else {
                    out.append(column > 0 ? "\n" : "").append(margin);
                    add(word);
                    column = word.length();
                }
            }
            out.append(column > 0 ? "\n" : "");
        }
    }

    private void block(String text, int indent) {
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        out.append(!text.endsWith("\n") ? "|-\n" : body.endsWith("\n") ? "|+\n" : "|\n");
        for (String line : body.split("\n", -1)) {
            add(line.isEmpty() ? "" : " ".repeat(indent) + line).append('\n');
        }
    }

    private static String oneLine(String text) {
        if (isPlain(text)) {
            return text;
        }
        if ((text.indexOf('"') >= 0 || text.indexOf('\\') >= 0) && text.indexOf('\n') < 0 && isPrintable(text)) {
            return '\'' + text.replace("'", "''") + '\'';
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> quoted.append(escaped(c)));
        return quoted.append('"').toString();
    }

    private static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches()
                && !NOT_A_STRING.matcher(text).matches()
                && !text.contains(": ")
                && !text.contains(" #")
                && !text.endsWith(":")
                && !text.endsWith(" ")
                && !text.startsWith("---")
                && !text.startsWith("...");
    }

    /** YAML has no way to write half of a surrogate pair, so such a character is replaced as by an encoding. */
    private static String escaped(int c) {
        if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            return "\ufffd";
        }
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default ->
                c < 0x20
                                || c >= 0x7f && c < 0xa0
                                || c == 0x2028
                                || c == 0x2029
                                || c == 0xfeff
                                || c == 0xfffe
                                || c == 0xffff
                        ? String.format("\\u%04x", c)
                        : Character.toString(c);
        };
    }
}
