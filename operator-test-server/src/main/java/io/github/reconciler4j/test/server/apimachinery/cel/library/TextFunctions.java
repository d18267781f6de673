package io.github.reconciler4j.test.server.apimachinery.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;

/** Regular expressions, and texts put together by a pattern. */
final class TextFunctions {
    private TextFunctions() {}

    static void addTo(FunctionTable functions) {
        functions.member(
                "find",
                "string_find_string",
                SimpleType.STRING,
                args -> {
                    Matcher matcher = matcher(args);
                    return matcher.find() ? matcher.group() : "";
                },
                SimpleType.STRING,
                SimpleType.STRING);
        functions.member(
                "findAll",
                "string_find_all_string",
                Types.TEXTS,
                args -> findAll(args, -1),
                SimpleType.STRING,
                SimpleType.STRING);
        functions.member(
                "findAll",
                "string_find_all_string_int",
                Types.TEXTS,
                args -> findAll(args, (Long) args[2]),
                SimpleType.STRING,
                SimpleType.STRING,
                SimpleType.INT);
        functions.member(
                "format",
                "string_format",
                SimpleType.STRING,
                args -> TextFormat.format((String) args[0], (List<?>) args[1]),
                SimpleType.STRING,
                ListType.create(SimpleType.DYN));
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
