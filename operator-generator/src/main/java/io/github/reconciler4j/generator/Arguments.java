package io.github.reconciler4j.generator;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Options of a command: {@code --name value}, some of them several times. */
final class Arguments {

    private final Map<String, List<String>> options;
    private final Set<String> used = new LinkedHashSet<>();

    private Arguments(Map<String, List<String>> options) {
        this.options = options;
    }

    /** The arguments are not what the command takes. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    static Arguments parse(List<String> arguments) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!name.startsWith("--") || i + 1 == arguments.size()) {
                throw new UsageException("'" + name + "' must be an option with a value, such as --name value");
            }
            options.computeIfAbsent(name.substring(2), absent -> new ArrayList<>())
                    .add(arguments.get(i + 1));
        }
        return new Arguments(options);
    }

    List<String> all(String name) {
        used.add(name);
        return options.getOrDefault(name, List.of());
    }

    Optional<String> one(String name) {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw new UsageException("--" + name + " must occur once, occurs " + values.size() + " times");
        }
        return values.stream().findFirst();
    }

    String required(String name) {
        return one(name).orElseThrow(() -> new UsageException("--" + name + " is missing"));
    }

    List<Path> paths(String name) {
        return all(name).stream().map(Path::of).toList();
    }

    int number(String name, int absent) {
        return one(name).map(text -> number(name, text)).orElse(absent);
    }

    private static int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new UsageException("--" + name + " must be a number, was '" + text + "'");
        }
    }

    boolean flag(String name, boolean absent) {
        return one(name).map(Boolean::parseBoolean).orElse(absent);
    }

    /** Return {@code --name key=value} options. */
    Map<String, String> pairs(String name) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : all(name)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--" + name + " must have the form key=value, was '" + pair + "'");
            }
            pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return pairs;
    }

    void checkAllUsed() {
        Set<String> unknown = new LinkedHashSet<>(options.keySet());
        unknown.removeAll(used);
        if (!unknown.isEmpty()) {
            throw new UsageException(
                    "there is no option --" + unknown.iterator().next());
        }
    }
}
