package io.github.reconciler4j.test.request;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Picks requests. Everything that is not said matches anything. Immutable.
 *
 * <pre>{@code
 * RequestMatch statusWrites = RequestMatch.verbs("update", "patch").kind("Deployment").subresource("status");
 * }</pre>
 *
 * @param verbs the verbs; empty for all
 * @param kind the kind or the plural, in any case; empty for all
 * @param namespace the namespace; empty for all
 * @param name the object's name; empty for all
 * @param subresource the part of the object; {@code -} for the whole object only, empty for all
 * @param user who asks; empty for all
 * @since 0.1.0
 */
public record RequestMatch(
        Set<String> verbs, String kind, String namespace, String name, String subresource, String user)
        implements Predicate<ServerRequest> {

    /** The subresource of requests for whole objects. */
    public static final String WHOLE_OBJECT = "-";

    private static final RequestMatch ANY = new RequestMatch(Set.of(), "", "", "", "", "");
    private static final String[] WRITES = {"create", "update", "patch", "delete", "deletecollection"};

    /** Copies the verbs. */
    public RequestMatch {
        verbs = Set.copyOf(verbs);
    }

    /** Matches every request for a resource. */
    public static RequestMatch any() {
        return ANY;
    }

    /** Matches requests with one of the verbs. */
    public static RequestMatch verbs(String... verbs) {
        return new RequestMatch(new TreeSet<>(Set.of(verbs)), "", "", "", "", "");
    }

    /** Matches requests that write. */
    public static RequestMatch writes() {
        return verbs(WRITES);
    }

    /** Matches watches. */
    public static RequestMatch watches() {
        return verbs("watch");
    }

    /** The same, for one kind, named by kind or plural in any case. */
    public RequestMatch kind(String only) {
        return new RequestMatch(verbs, only.toLowerCase(Locale.ROOT), namespace, name, subresource, user);
    }

    /** The same, for one namespace. */
    public RequestMatch namespace(String only) {
        return new RequestMatch(verbs, kind, only, name, subresource, user);
    }

    /** The same, for objects of one name. */
    public RequestMatch name(String only) {
        return new RequestMatch(verbs, kind, namespace, only, subresource, user);
    }

    /** The same, for one part of objects; {@link #WHOLE_OBJECT} for the objects themselves. */
    public RequestMatch subresource(String only) {
        return new RequestMatch(verbs, kind, namespace, name, only, user);
    }

    /** The same, for one user. */
    public RequestMatch user(String only) {
        return new RequestMatch(verbs, kind, namespace, name, subresource, only);
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
}
