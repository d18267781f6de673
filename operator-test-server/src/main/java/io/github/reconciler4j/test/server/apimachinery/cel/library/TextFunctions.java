package io.github.reconciler4j.test.server.apimachinery.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.schema.Formats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Regular expressions, formatted texts and named formats. */
final class TextFunctions {

    /** A named format. A check returns the problems of a text. */
    record Format(Function<String, List<String>> check) {}

    private static final Map<String, Format> FORMATS = Map.ofEntries(
            Map.entry("dns1123Label", new Format(Names::dnsLabel)),
            Map.entry("dns1123Subdomain", new Format(Names::dnsSubdomain)),
            Map.entry("dns1035Label", new Format(Names::dns1035Label)),
            Map.entry("qualifiedName", new Format(Names::labelKey)),
            Map.entry("dns1123LabelPrefix", new Format(text -> Names.dnsLabel(Names.maskedPrefix(text)))),
            Map.entry("dns1123SubdomainPrefix", new Format(text -> Names.dnsSubdomain(Names.maskedPrefix(text)))),
            Map.entry("dns1035LabelPrefix", new Format(text -> Names.dns1035Label(Names.maskedPrefix(text)))),
            Map.entry("labelValue", new Format(Names::labelValue)),
            Map.entry("uri", new Format(text -> UrlFunctions.isUrl(text) ? List.of() : List.of("invalid URL"))),
            Map.entry("uuid", known("uuid", "does not match the UUID format")),
            Map.entry("byte", known("byte", "invalid base64")),
            Map.entry("date", known("date", "invalid date")),
            Map.entry("datetime", known("datetime", "invalid datetime")));

    private TextFunctions() {}

    private static Format known(String format, String problem) {
        return new Format(text -> Formats.matches(format, text) ? List.of() : List.of(problem));
    }

    @SuppressWarnings("Immutable") // formats only read their texts
    static void addTo(KubernetesFunctions functions) {
        functions.member("find", "string, string -> string", args -> {
            Matcher matcher = matcher(args);
            return matcher.find() ? matcher.group() : "";
        });
        functions.member("findAll", "string, string -> list(string)", args -> findAll(args, -1));
        functions.member("findAll", "string, string, int -> list(string)", args -> findAll(args, (Long) args[2]));
        functions.member(
                "format",
                "string, list(dyn) -> string",
                args -> TextFormat.format((String) args[0], (List<?>) args[1]));
        FORMATS.forEach((name, format) -> functions.global("format." + name, " -> format", args -> format));
        functions.global(
                "format.named",
                "string -> optional(format)",
                args -> Optional.ofNullable(FORMATS.get((String) args[0])));
        functions.member("validate", "format, string -> optional(list(string))", args -> {
            List<String> problems = ((Format) args[0]).check().apply((String) args[1]);
            return problems.isEmpty() ? Optional.empty() : Optional.of(problems);
        });
    }

    private static Matcher matcher(Object[] args) {
        try {
            return Pattern.compile((String) args[1]).matcher((String) args[0]);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("Illegal regex: " + e.getMessage(), e);
        }
    }

    private static List<String> findAll(Object[] args, long limit) {
        Matcher matcher = matcher(args);
        List<String> found = new ArrayList<>();
        while ((limit < 0 || found.size() < limit) && matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
