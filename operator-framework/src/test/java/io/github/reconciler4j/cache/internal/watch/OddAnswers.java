package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.list;

import java.util.Random;

/** Answers that are JSON, and that no API server should give. */
final class OddAnswers {

    private static final String[] VERSIONS = {
        "\"\"", "\"0\"", "\"-1\"", "\"x\"", "null", "7", "\"99999999999999999999999\"", "{}", "\"1\""
    };

    private OddAnswers() {}

    private static String pick(Random random, String... from) {
        return from[random.nextInt(from.length)];
    }

    /** Return a list with an odd version, odd items, or another shape. */
    static String oddList(Random random, long version, String[] objects) {
        String good = list(version, "", objects);
        return switch (random.nextInt(6)) {
            case 0 ->
                good.replace(
                        "\"resourceVersion\":\"" + version + "\"", "\"resourceVersion\":" + pick(random, VERSIONS));
            case 1 -> list(version, "", "null", "{}", "[]", "7", "{\"metadata\":null}", "{\"metadata\":{\"name\":7}}");
            case 2 -> good.replaceFirst("\"items\":\\[", "\"items\":null,\"others\":[");
            case 3 -> good.replaceFirst("\"metadata\":\\{", "\"metadata\":null,\"others\":{");
            case 4 -> good + good;
            default -> list(version, "\\u0000\\n page", objects);
        };
    }

    /**
     * Return an odd event.
     *
     * @param habit 0 for odd versions, 1 for odd objects, 2 for odd lines, 3 for odd bookmarks
     */
    static String oddEvent(int habit, Random random, String good, long version) {
        String own = "\"resourceVersion\":\"" + version + "\"";
        return switch (habit) {
            case 0 -> good.replace(own, "\"resourceVersion\":" + pick(random, VERSIONS));
            case 1 ->
                pick(
                        random,
                        "{\"type\":\"ADDED\",\"object\":null}\n",
                        "{\"type\":\"ADDED\"}\n",
                        "{\"object\":{}}\n",
                        "{\"type\":null,\"object\":{}}\n",
                        "{\"type\":\"DELETED\",\"object\":[]}\n",
                        "{\"type\":\"ERROR\",\"object\":null}\n",
                        "{\"type\":\"ERROR\",\"object\":\"gone\"}\n",
                        good.replace("ConfigMap", "Secret"));
            case 2 ->
                pick(random, "\n", "\r\n\r\n", " ", good.trim() + good.trim(), good.trim() + "]\n", "\u001e" + good);
            default ->
                bookmark(version, random.nextBoolean())
                        .replace(
                                "\"resourceVersion\":\"" + version + "\"",
                                "\"resourceVersion\":" + pick(random, VERSIONS));
        };
    }
}
