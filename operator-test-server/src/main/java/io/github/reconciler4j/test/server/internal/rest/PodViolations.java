package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Collects what a pod and its containers violate, and names them. Confined to one thread. */
class PodViolations {

    final JsonNode metadata;
    final JsonNode spec;
    final List<Violation> found = new ArrayList<>();
    private final List<JsonNode> containers = new ArrayList<>();

    /** A part of the standard that is violated, and by what. */
    record Violation(String reason, String detail) {

        @Override
        public String toString() {
            return reason + " (" + detail + ")";
        }
    }

    PodViolations(JsonNode pod) {
        metadata = pod.path("metadata");
        spec = pod.path("spec");
        for (String field : List.of("initContainers", "containers", "ephemeralContainers")) {
            containers.addAll(Json.items(spec, field));
        }
    }

    static Predicate<JsonNode> is(String path, String value) {
        return node -> node.at(path).asText("").equals(value);
    }

    static String quoted(Collection<String> names) {
        return names.stream().collect(Collectors.joining("\", \"", "\"", "\""));
    }

    static String plural(String one, String many, Collection<?> of) {
        return of.size() == 1 ? one : many;
    }

    static String named(String one, Collection<String> names) {
        return plural(one, one + "s", names) + " " + quoted(names);
    }

    final List<String> containersWhere(Predicate<JsonNode> test) {
        return containers.stream()
                .filter(test)
                .map(container -> Json.text(container, "name"))
                .toList();
    }

    final void containersThat(String reason, Predicate<JsonNode> violate, String must) {
        List<String> names = containersWhere(violate);
        if (!names.isEmpty()) {
            found.add(new Violation(reason, named("container", names) + " " + must));
        }
    }

    /**
     * Report the pod and the containers that set something.
     *
     * @param must returns what they must do, from the values at the path that they set
     */
    final void settersThat(
            String reason, Predicate<JsonNode> violate, Function<Set<String>, String> must, String path) {
        Set<String> values = new TreeSet<>();
        List<String> setters = setters(violate, node -> values.add(node.at(path).asText("")));
        if (!setters.isEmpty()) {
            found.add(new Violation(reason, String.join(" and ", setters) + " " + must.apply(values)));
        }
    }

    final List<String> setters(Predicate<JsonNode> violate, Consumer<JsonNode> each) {
        List<String> setters = new ArrayList<>();
        if (violate.test(spec)) {
            setters.add("pod");
            each.accept(spec);
        }
        List<String> names = containersWhere(violate);
        if (!names.isEmpty()) {
            setters.add(named("container", names));
            containers.stream().filter(violate).forEach(each);
        }
        return setters;
    }
}
