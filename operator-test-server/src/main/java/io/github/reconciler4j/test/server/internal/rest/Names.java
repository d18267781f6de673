package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** What objects may be called, and names for those that want one made. */
final class Names {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LABEL_FORM = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN_FORM = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;

    private Names() {}

    /** A name that begins with the base, cut so that label-like names stay short enough. */
    static String generate(String base) {
        int most = MAX_LABEL - SUFFIX_LENGTH;
        StringBuilder name = new StringBuilder(base.length() > most ? base.substring(0, most) : base);
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(LETTERS.charAt(ThreadLocalRandom.current().nextInt(LETTERS.length())));
        }
        return name.toString();
    }

    /** What is wrong with the beginning of a name to be made; it may end with a dash. */
    static List<FieldError> checkBase(ResourceType type, String base, String field) {
        String masked = base.endsWith("-") && base.length() > 1 ? base.substring(0, base.length() - 2) + "a" : base;
        return causes(type, masked, field, base);
    }

    /** What is wrong with the name of an object of the kind; empty when nothing is. */
    static List<FieldError> check(ResourceType type, String name, String field) {
        return causes(type, name, field, name);
    }

    private static List<FieldError> causes(ResourceType type, String name, String field, String shown) {
        List<String> problems = switch (type.plural()) {
            case "roles", "rolebindings", "clusterroles", "clusterrolebindings" ->
                type.group().equals("rbac.authorization.k8s.io") ? pathSegment(name) : subdomain(name);
            case "namespaces", "services" -> type.group().isEmpty() ? label(name) : subdomain(name);
            default -> subdomain(name);
        };
        return problems.stream()
                .map(problem -> FieldError.invalid(field, shown, problem))
                .toList();
    }

    private static List<String> subdomain(String name) {
        List<String> problems = new ArrayList<>();
        if (name.length() > MAX_SUBDOMAIN) {
            problems.add("must be no more than 253 characters");
        }
        if (!SUBDOMAIN_FORM.matcher(name).matches()) {
            problems.add(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
                            + " and must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                            + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
        }
        return problems;
    }

    private static List<String> label(String name) {
        List<String> problems = new ArrayList<>();
        if (name.length() > MAX_LABEL) {
            problems.add("must be no more than 63 characters");
        }
        if (name.contains(".")) {
            problems.add("must not contain dots");
        } else if (!LABEL_FORM.matcher(name).matches()) {
            problems.add(
                    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must"
                            + " start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for"
                            + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
        }
        return problems;
    }

    private static List<String> pathSegment(String name) {
        if (name.equals(".") || name.equals("..")) {
            return List.of("may not be '" + name + "'");
        }
        List<String> problems = new ArrayList<>();
        for (String bad : List.of("/", "%")) {
            if (name.contains(bad)) {
                problems.add("may not contain '" + bad + "'");
            }
        }
        return problems;
    }
}
