package io.github.reconciler4j.test.request;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Selects requests. A criterion that is not set matches everything. Paths without a resource never match. Immutable.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * RequestMatch statusWrites =
 *         RequestMatch.verbs("update", "patch").kind("Bucket").subresource("status");
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RequestMatch implements Predicate<ServerRequest> {

    /** The subresource that selects requests for objects themselves. */
    public static final String WHOLE_OBJECT = "-";

    private static final RequestMatch ANY = new RequestMatch(new Values());
    private static final String[] WRITES = {"create", "update", "patch", "delete", "deletecollection"};

    private final Values values;

    private RequestMatch(Values values) {
        this.values = values;
    }

    /** Return a match for every request for a resource. */
    public static RequestMatch any() {
        return ANY;
    }

    /** Return a match for requests with one of the verbs. */
    public static RequestMatch verbs(String... verbs) {
        return ANY.change(copy -> copy.verbs = Set.of(verbs));
    }

    /** Return a match for requests that write. */
    public static RequestMatch writes() {
        return verbs(WRITES);
    }

    /** Return a match for watches. */
    public static RequestMatch watches() {
        return verbs("watch");
    }

    private RequestMatch change(Consumer<Values> change) {
        return new RequestMatch(values.changed(change));
    }

    /** Return a copy of this match for one kind, given as a kind or a plural in any case. */
    public RequestMatch kind(String only) {
        return change(copy -> copy.kind = only.toLowerCase(Locale.ROOT));
    }

    /** Return a copy of this match for one namespace. */
    public RequestMatch namespace(String only) {
        return change(copy -> copy.namespace = only);
    }

    /** Return a copy of this match for objects with the given name. */
    public RequestMatch name(String only) {
        return change(copy -> copy.name = only);
    }

    /** Return a copy of this match for one subresource, or {@link #WHOLE_OBJECT} for objects themselves. */
    public RequestMatch subresource(String only) {
        return change(copy -> copy.subresource = only);
    }

    /** Return a copy of this match for one user. */
    public RequestMatch user(String only) {
        return change(copy -> copy.user = only);
    }

    @Override
    public boolean test(ServerRequest request) {
        return !request.resource().isEmpty()
                && (values.verbs.isEmpty() || values.verbs.contains(request.verb()))
                && matchesKind(request)
                && fits(values.namespace, request.namespace())
                && fits(values.name, request.name())
                && fits(values.subresource.equals(WHOLE_OBJECT) ? "" : values.subresource, request.subresource())
                && (!values.subresource.equals(WHOLE_OBJECT)
                        || request.subresource().isEmpty())
                && fits(values.user, request.user());
    }

    private boolean matchesKind(ServerRequest request) {
        return values.kind.isEmpty()
                || values.kind.equals(request.resource())
                || values.kind.equals(request.kind().toLowerCase(Locale.ROOT));
    }

    private static boolean fits(String wanted, String actual) {
        return wanted.isEmpty() || wanted.equals(actual);
    }

    @Override
    public String toString() {
        return "RequestMatch[verbs=" + new TreeSet<>(values.verbs) + ", kind=" + values.kind + ", namespace="
                + values.namespace + ", name=" + values.name + ", subresource=" + values.subresource + ", user="
                + values.user + "]";
    }

    private static final class Values implements Cloneable {
        private Set<String> verbs = Set.of();
        private String kind = "";
        private String namespace = "";
        private String name = "";
        private String subresource = "";
        private String user = "";

        Values changed(Consumer<Values> change) {
            try {
                Values copy = (Values) clone();
                change.accept(copy);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e); // this class is cloneable
            }
        }
    }
}
