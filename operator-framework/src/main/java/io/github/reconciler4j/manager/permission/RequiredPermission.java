package io.github.reconciler4j.manager.permission;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.DnsNames;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A permission that a component needs on the API server: verbs on a resource, as a rule of a Role or ClusterRole. Immutable.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * static List<RequiredPermission> permissions() {
 *     return List.of(
 *             RequiredPermission.on(ConfigMap.class, "create", "patch").inNamespace("guests"),
 *             RequiredPermission.on("apps", "deployments", "create", "patch"),
 *             RequiredPermission.onCore("pods/status", "patch"));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RequiredPermission {

    private static final Set<String> READS = Set.of("get", "list", "watch");

    private final String group;
    private final String resource;
    private final Set<String> verbs;
    private final String namespace;
    private final String name;
    private final String account;

    private RequiredPermission(
            String group, String resource, Set<String> verbs, String namespace, String name, String account) {
        this.group = Objects.requireNonNull(group, "'group' must not be null");
        this.resource = Objects.requireNonNull(resource, "'resource' must not be null");
        this.verbs = Set.copyOf(verbs);
        this.namespace = Objects.requireNonNull(namespace, "'namespace' must not be null");
        this.name = Objects.requireNonNull(name, "'name' must not be null");
        this.account = Objects.requireNonNull(account, "'account' must not be null");
        if (resource.isBlank()) {
            throw new IllegalArgumentException("'resource' must not be blank");
        }
        if (verbs.isEmpty()) {
            throw new IllegalArgumentException("'verbs' of " + qualifiedResource() + " must not be empty");
        }
    }

    /**
     * Create a permission on all objects of a kind, in all namespaces.
     *
     * @param verbs the verbs, for instance {@code list}
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the class does not name its kind
     * @throws IllegalArgumentException if there is no verb
     */
    public static RequiredPermission on(Class<? extends HasMetadata> type, String... verbs) {
        return on(Scheme.create().kindOf(type), verbs);
    }

    /**
     * Create a permission on all objects of a kind, in all namespaces.
     *
     * @param verbs the verbs, for instance {@code list}
     * @throws IllegalArgumentException if there is no verb
     */
    public static RequiredPermission on(KindInfo kind, String... verbs) {
        return on(kind.kind().group(), kind.plural(), verbs);
    }

    /**
     * Create a permission on all objects of a resource, in all namespaces.
     *
     * @param group the API group, for instance {@code apps}; use {@link #onCore} for the core group
     * @param resource the resource, with a subresource after a slash: {@code deployments}, {@code deployments/status}
     * @param verbs the verbs, for instance {@code list}
     * @throws IllegalArgumentException if the resource is blank or there is no verb
     */
    public static RequiredPermission on(String group, String resource, String... verbs) {
        return new RequiredPermission(group, resource, Set.of(verbs), "", "", "");
    }

    /**
     * Create a permission on all objects of a resource of the core group, in all namespaces.
     *
     * @param resource the resource, with a subresource after a slash: {@code pods}, {@code pods/status}
     * @param verbs the verbs, for instance {@code list}
     * @throws IllegalArgumentException if the resource is blank or there is no verb
     */
    public static RequiredPermission onCore(String resource, String... verbs) {
        return on("", resource, verbs);
    }

    /** Create a permission to watch a kind in all namespaces, which takes the verbs {@code list} and {@code watch}. */
    public static RequiredPermission watching(KindInfo kind) {
        return on(kind, "list", "watch");
    }

    /**
     * Create a permission to watch a kind in all namespaces, which takes the verbs {@code list} and {@code watch}.
     *
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the class does not name its kind
     */
    public static RequiredPermission watching(Class<? extends HasMetadata> type) {
        return on(type, "list", "watch");
    }

    /**
     * Create the permission to impersonate a service account.
     *
     * @param account {@code namespace/name}
     * @throws IllegalArgumentException if it is not the name of an account with its namespace
     */
    public static RequiredPermission impersonating(String account) {
        String[] parts = DnsNames.checkNamespaced("account", account).split("/", 2);
        return onCore("serviceaccounts", "impersonate").inNamespace(parts[0]).named(parts[1]);
    }

    /** Return the API group, {@code ""} for the core group. */
    public String group() {
        return group;
    }

    /** Return the resource, with a subresource after a slash. */
    public String resource() {
        return resource;
    }

    /** Return the verbs. */
    public Set<String> verbs() {
        return verbs;
    }

    /** Return the namespace, {@code ""} for all namespaces and for cluster-scoped kinds. */
    public String namespace() {
        return namespace;
    }

    /** Return the name of the only object that the permission is for, {@code ""} for all objects. */
    public String name() {
        return name;
    }

    /**
     * Return the service account that needs it as {@code namespace/name}; {@code ""}, the default, for the account of the operator.
     */
    public String account() {
        return account;
    }

    /**
     * Return this permission for a service account that a controller writes with.
     *
     * @param newAccount {@code namespace/name}, or {@code ""} for the account of the operator
     * @throws IllegalArgumentException if it is neither
     */
    public RequiredPermission forAccount(String newAccount) {
        if (!newAccount.isEmpty()) {
            DnsNames.checkNamespaced("newAccount", newAccount);
        }
        return new RequiredPermission(group, resource, verbs, namespace, name, newAccount);
    }

    /**
     * Divide permissions between the operator and a service account that writes for a controller: the operator keeps the verbs {@code
     * get}, {@code list} and {@code watch}, and may impersonate the account.
     *
     * @param account {@code namespace/name}, or {@code ""} to return the permissions as they are
     * @throws IllegalArgumentException if it is neither
     */
    public static Stream<RequiredPermission> withWritesBy(String account, List<RequiredPermission> permissions) {
        return account.isEmpty()
                ? permissions.stream()
                : Stream.concat(
                        Stream.of(impersonating(account)), permissions.stream().flatMap(each -> each.divided(account)));
    }

    private Stream<RequiredPermission> divided(String writer) {
        Set<String> reads = new TreeSet<>(verbs);
        reads.retainAll(READS);
        Set<String> writes = new TreeSet<>(verbs);
        writes.removeAll(READS);
        return Stream.concat(
                reads.isEmpty() ? Stream.empty() : Stream.of(withVerbs(reads)),
                writes.isEmpty() ? Stream.empty() : Stream.of(withVerbs(writes).forAccount(writer)));
    }

    /** Return this permission for one namespace, {@code ""} for all namespaces. */
    public RequiredPermission inNamespace(String newNamespace) {
        return new RequiredPermission(group, resource, verbs, newNamespace, name, account);
    }

    /** Return this permission for one object, {@code ""} for all objects. */
    public RequiredPermission named(String objectName) {
        return new RequiredPermission(group, resource, verbs, namespace, objectName, account);
    }

    /** Return this permission for a subresource, for instance {@code status}. */
    public RequiredPermission subresource(String subresource) {
        return new RequiredPermission(
                group, resource.split("/", 2)[0] + "/" + subresource, verbs, namespace, name, account);
    }

    /**
     * Return this permission with the given verbs in place of its own.
     *
     * @throws IllegalArgumentException if there is no verb
     */
    public RequiredPermission withVerbs(Set<String> newVerbs) {
        return new RequiredPermission(group, resource, newVerbs, namespace, name, account);
    }

    /** Return {@code resource.group/subresource}, or {@code resource/subresource} in the core group. */
    public String qualifiedResource() {
        if (group.isEmpty()) {
            return resource;
        }
        String[] parts = resource.split("/", 2);
        return parts[0] + "." + group + (parts.length > 1 ? "/" + parts[1] : "");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequiredPermission that
                && group.equals(that.group)
                && resource.equals(that.resource)
                && verbs.equals(that.verbs)
                && namespace.equals(that.namespace)
                && name.equals(that.name)
                && account.equals(that.account);
    }

    @Override
    public int hashCode() {
        return Objects.hash(group, resource, verbs, namespace, name, account);
    }

    /** Return for instance {@code create, patch on deployments.apps in shop}. */
    @Override
    public String toString() {
        return String.join(", ", new TreeSet<>(verbs)) + " on " + qualifiedResource()
                + (name.isEmpty() ? "" : " " + name) + (namespace.isEmpty() ? "" : " in " + namespace)
                + (account.isEmpty() ? "" : " for service account " + account);
    }
}
