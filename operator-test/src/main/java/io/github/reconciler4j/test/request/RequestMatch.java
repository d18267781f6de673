package io.github.reconciler4j.test.request;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Selects requests. A criterion that is not set matches everything. Paths without a resource never match. Immutable.
 *
 * <pre>{@code
 * RequestMatch statusWrites = RequestMatch.verbs("update", "patch").kind("Deployment").subresource("status");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RequestMatch implements Predicate<ServerRequest> {

    /** The subresource that selects requests for objects themselves. */
    public static final String WHOLE_OBJECT = "-";

    private static final RequestMatch ANY = new RequestMatch(new Draft());
    private static final String[] WRITES = {"create", "update", "patch", "delete", "deletecollection"};

    private final Set<String> verbs;
    private final String kind;
    private final String namespace;
    private final String name;
    private final String subresource;
    private final String user;

    private RequestMatch(Draft draft) {
        verbs = Set.copyOf(draft.verbs);
        kind = draft.kind;
        namespace = draft.namespace;
        name = draft.name;
        subresource = draft.subresource;
        user = draft.user;
    }

    /** Return a match for every request for a resource. */
    public static RequestMatch any() {
        return ANY;
    }

    /** Return a match for requests with one of the verbs. */
    public static RequestMatch verbs(String... verbs) {
        return ANY.change(draft -> draft.verbs = Set.of(verbs));
    }

    /** Return a match for requests that write. */
    public static RequestMatch writes() {
        return verbs(WRITES);
    }

    /** Return a match for watches. */
    public static RequestMatch watches() {
        return verbs("watch");
    }

    private RequestMatch change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.verbs = verbs;
        draft.kind = kind;
        draft.namespace = namespace;
        draft.name = name;
        draft.subresource = subresource;
        draft.user = user;
        change.accept(draft);
        return new RequestMatch(draft);
    }

    /** Return a copy of this match for one kind, given as a kind or a plural in any case. */
    public RequestMatch kind(String only) {
        return change(draft -> draft.kind = only.toLowerCase(Locale.ROOT));
    }

    /** Return a copy of this match for one namespace. */
    public RequestMatch namespace(String only) {
        return change(draft -> draft.namespace = only);
    }

    /** Return a copy of this match for objects with the given name. */
    public RequestMatch name(String only) {
        return change(draft -> draft.name = only);
    }

    /** Return a copy of this match for one subresource, or {@link #WHOLE_OBJECT} for objects themselves. */
    public RequestMatch subresource(String only) {
        return change(draft -> draft.subresource = only);
    }

    /** Return a copy of this match for one user. */
    public RequestMatch user(String only) {
        return change(draft -> draft.user = only);
    }

    @Override
    public boolean test(ServerRequest request) {
        return !request.resource().isEmpty()
                && (verbs.isEmpty() || verbs.contains(request.verb()))
                && matchesKind(request)
                && fits(namespace, request.namespace())
                && fits(name, request.name())
                && fits(subresource.equals(WHOLE_OBJECT) ? "" : subresource, request.subresource())
                && (!subresource.equals(WHOLE_OBJECT) || request.subresource().isEmpty())
                && fits(user, request.user());
    }

    private boolean matchesKind(ServerRequest request) {
        return kind.isEmpty()
                || kind.equals(request.resource())
                || kind.equals(request.kind().toLowerCase(Locale.ROOT));
    }

    private static boolean fits(String wanted, String actual) {
        return wanted.isEmpty() || wanted.equals(actual);
    }

    @Override
    public String toString() {
        return "RequestMatch[verbs=" + new TreeSet<>(verbs) + ", kind=" + kind + ", namespace=" + namespace + ", name="
                + name + ", subresource=" + subresource + ", user=" + user + "]";
    }

    private static final class Draft {
        Set<String> verbs = Set.of();
        String kind = "";
        String namespace = "";
        String name = "";
        String subresource = "";
        String user = "";
    }
}
