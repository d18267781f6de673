package io.github.reconciler4j.test.server.apimachinery.cel.library;

import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.schema.Formats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A form of texts that rules can ask for by name. Immutable. */
record NamedFormat(String name, int expressionSize, Function<String, List<String>> check) {
    private static final int LABEL = 30;
    private static final int LABEL_VALUE = 40;
    private static final int SUBDOMAIN = 60;
    private static final int BASE64 = 84;
    private static final int UUID = 69;
    private static final int TIME = 106;
    private static final int URI = 1103;

    private static final Map<String, NamedFormat> ALL = new LinkedHashMap<>();

    static {
        add("dns1123Label", LABEL, Names::dnsLabel);
        add("dns1123Subdomain", SUBDOMAIN, Names::dnsSubdomain);
        add("dns1035Label", LABEL, Names::dns1035Label);
        add("qualifiedName", SUBDOMAIN, NamedFormat::qualifiedName);
        add("dns1123LabelPrefix", LABEL, text -> Names.dnsLabel(continued(text)));
        add("dns1123SubdomainPrefix", SUBDOMAIN, text -> Names.dnsSubdomain(continued(text)));
        add("dns1035LabelPrefix", LABEL, text -> Names.dns1035Label(continued(text)));
        add("labelValue", LABEL_VALUE, Names::labelValue);
        add("uri", URI, NamedFormat::address);
        add("uuid", UUID, text -> checked("uuid", text, "does not match the UUID format"));
        add("byte", BASE64, text -> checked("byte", text, "invalid base64"));
        add("date", TIME, text -> checked("date", text, "invalid date"));
        add("datetime", TIME, text -> checked("datetime", text, "invalid datetime"));
    }

    private static void add(String name, int expressionSize, Function<String, List<String>> check) {
        ALL.put(name, new NamedFormat(name, expressionSize, check));
    }

    static Map<String, NamedFormat> all() {
        return ALL;
    }

    /** The format of this name; null if there is none. */
    static @Nullable NamedFormat named(String name) {
        return ALL.get(name);
    }

    private static List<String> checked(String format, String text, String problem) {
        return Formats.matches(format, text) ? List.of() : List.of(problem);
    }

    private static List<String> address(String text) {
        String problem = WebAddress.problem(text);
        return problem == null ? List.of() : List.of(problem);
    }

    /** A prefix may end in a dash, as something follows. */
    private static String continued(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text;
    }

    private static List<String> qualifiedName(String text) {
        return Names.labelKey(text).stream()
                .map(problem -> problem.replaceFirst("^a valid label key must", "a qualified name must"))
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamedFormat format && name.equals(format.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
