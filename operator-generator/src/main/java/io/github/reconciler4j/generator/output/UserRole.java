package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.rbac.Right;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What the users of a cluster may do with the operator's kinds, by the roles that Kubernetes has for people. */
enum UserRole {
    /** Sees objects. */
    VIEW(List.of("get", "list", "watch"), List.of("get")),
    /** Changes objects; Kubernetes adds what {@link #VIEW} may. */
    EDIT(List.of("create", "update", "patch", "delete", "deletecollection"), List.of()),
    /** Corrects the status; Kubernetes adds what {@link #EDIT} may. */
    ADMIN(List.of(), List.of("update", "patch"));

    private final List<String> verbs;
    private final List<String> statusVerbs;

    UserRole(List<String> verbs, List<String> statusVerbs) {
        this.verbs = verbs;
        this.statusVerbs = statusVerbs;
    }

    /** The name in labels. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    String rules(Map<String, Object> definition) {
        String group = String.valueOf(spec(definition).get("group"));
        String plural = plural(definition);
        return RoleTexts.rules(
                Stream.concat(
                                verbs.stream().map(verb -> new Right(group, plural, "", verb)),
                                statusVerbs.stream().map(verb -> new Right(group, plural + "/status", "", verb)))
                        .toList(),
                RoleTexts::quoted);
    }

    static String plural(Map<String, Object> definition) {
        return String.valueOf(
                ((Map<?, ?>) Objects.requireNonNull(spec(definition).get("names"))).get("plural"));
    }

    private static Map<?, ?> spec(Map<String, Object> definition) {
        return (Map<?, ?>) Objects.requireNonNull(definition.get("spec"));
    }
}
