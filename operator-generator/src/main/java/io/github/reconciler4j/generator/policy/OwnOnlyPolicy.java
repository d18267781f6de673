package io.github.reconciler4j.generator.policy;

import io.github.reconciler4j.generator.operator.Grant;
import io.github.reconciler4j.generator.operator.Grant.Area;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import io.github.reconciler4j.generator.rbac.Right;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates the admission policy that lets the accounts of an operator write its own objects only: those of its kinds, those that
 * such objects own, those that it has written under its field managers, and those that its role names. An object that exists is
 * judged by its state before the request, so that it cannot be claimed first and written then. In the trees,
 * {@link WebhookSnapshot#NAME}, {@link WebhookSnapshot#NAMESPACE} and the constants of this class stand for what the installation
 * decides.
 *
 * @since 0.1.0
 */
public final class OwnOnlyPolicy {

    /** Stands for the name of the service account of the operator. */
    public static final String ACCOUNT = "reconciler4j-account";

    /** Stands for the list of the field managers. */
    public static final String FIELD_MANAGERS = "reconciler4j-field-managers";

    /** Stands for the list of the resources that may be written besides. */
    public static final String ALLOWED = "reconciler4j-allowed";

    /** Stands for {@code true} if the operator may take over objects that have no controller. */
    public static final String ADOPT = "reconciler4j-adopt";

    private static final Set<String> WRITES = Set.of("*", "create", "update", "patch", "delete", "deletecollection");

    private final OperatorDescription operator;
    private final PolicyTree tree;

    /**
     * Create a generator.
     *
     * @param operator the operator
     */
    public OwnOnlyPolicy(OperatorDescription operator) {
        this.operator = operator;
        this.tree = new PolicyTree(
                "ValidatingAdmissionPolicy", "own-only", KubernetesVersion.parse(operator.minKubernetes()));
    }

    /**
     * Generate the policy and its binding.
     *
     * @throws io.github.reconciler4j.generator.GeneratorException if the lowest version of Kubernetes does not have such policies
     */
    public List<Map<String, Object>> generate() {
        tree.require(KubernetesVersion.VALIDATION);
        tree.put("failurePolicy", "Fail");
        tree.put("matchConstraints", Map.of("resourceRules", List.of(everything())));
        tree.put("matchConditions", List.of(named("own-accounts", "request.userInfo.username in " + list(users()))));
        tree.put(
                "variables",
                variables().entrySet().stream()
                        .map(variable -> named(variable.getKey(), variable.getValue()))
                        .toList());
        Map<String, Object> validation = new LinkedHashMap<>();
        validation.put(
                "expression",
                tree.checked("variables.ofOwnKind || variables.named || variables.shared || variables.reconciled"
                        + " || variables.event || variables.owned || variables.managed || variables.adopted"
                        + " || variables.resource in variables.allowed"));
        validation.put("messageExpression", tree.checked(message()));
        validation.put("reason", "Forbidden");
        tree.put("validations", List.of(validation));
        return List.of(tree.policy(), tree.binding("validationActions", List.of("Deny"), List.of()));
    }

    /** Returns the field managers of the operator and its controllers, sorted. */
    public List<String> fieldManagers() {
        return List.copyOf(new TreeSet<>(operator.snapshot().fieldManagers()));
    }

    private static Map<String, Object> everything() {
        Map<String, Object> rule = new LinkedHashMap<>();
        rule.put("apiGroups", List.of("*"));
        rule.put("apiVersions", List.of("*"));
        rule.put("operations", List.of("*"));
        rule.put("resources", List.of("*/*"));
        return rule;
    }

    private Map<String, Object> named(String name, String expression) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", name);
        entry.put("expression", tree.checked(expression));
        return entry;
    }

    private List<String> users() {
        return Stream.concat(Stream.of(""), operator.grants().stream().map(Grant::account))
                .distinct()
                .map(account -> account.isEmpty() ? ACCOUNT : account)
                .map(account -> account.contains("/") ? account : WebhookSnapshot.NAMESPACE + "/" + account)
                .map(account -> "system:serviceaccount:" + account.replace('/', ':'))
                .toList();
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        addRequest(variables);
        variables.put("allowed", ALLOWED);
        variables.put("ofOwnKind", "variables.kind in " + list(definitions()));
        variables.put("reconciled", "request.operation == 'UPDATE' && variables.kind in " + list(reconciled()));
        variables.put(
                "named",
                "[variables.place, '*'].exists(n, (variables.resource + ' ' + n + '/' + variables.name) in "
                        + list(namedObjects()) + ")");
        variables.put(
                "shared",
                "variables.resource == 'leases.coordination.k8s.io' && variables.place == '"
                        + WebhookSnapshot.NAMESPACE + "' && ['-shard-', '-replica-', '-borders'].exists(part,"
                        + " variables.name.startsWith('" + WebhookSnapshot.NAME + "'.replace('.', '-') + part))");
        variables.put(
                "event",
                "request.operation == 'CREATE' && variables.resource in ['events', 'events.events.k8s.io']"
                        + " && variables.place != ''");
        addOwners(variables);
        addManagers(variables);
        return variables;
    }

    /** What the request is about: the object before it, or a new one. */
    private static void addRequest(Map<String, String> variables) {
        variables.put("subject", "request.operation in ['UPDATE', 'DELETE'] ? oldObject : object");
        variables.put(
                "metadata",
                "variables.subject != null && has(variables.subject.metadata) ? variables.subject.metadata : {}");
        variables.put(
                "kind",
                "request.resource.resource + (request.resource.group == '' ? '' : '.' + request.resource.group)");
        variables.put("subresource", "has(request.subResource) ? request.subResource : ''");
        variables.put("resource", "variables.kind + (variables.subresource == '' ? '' : '/' + variables.subresource)");
        variables.put("place", "has(request.namespace) ? request.namespace : ''");
        variables.put(
                "name",
                "has(variables.metadata.name) ? variables.metadata.name : has(request.name) ? request.name : ''");
        // the body of a new subresource, such as an Eviction or a Binding, says nothing about the object
        variables.put(
                "known",
                "request.operation in ['UPDATE', 'DELETE']"
                        + " || request.operation == 'CREATE' && variables.subresource == ''");
    }

    private void addOwners(Map<String, String> variables) {
        variables.put("owners", list(owners()));
        variables.put("owned", "variables.known && (" + isOwned("variables.metadata") + ")");
        variables.put("adopt", ADOPT);
        variables.put(
                "adopted",
                "variables.adopt && request.operation == 'UPDATE' && variables.subresource == ''"
                        + " && !(has(variables.metadata.ownerReferences) && variables.metadata.ownerReferences.exists(o,"
                        + " has(o.controller) && o.controller)) && (" + isOwned("object.metadata") + ")");
    }

    private String isOwned(String metadata) {
        Set<String> resources = new TreeSet<>(definitions());
        resources.addAll(reconciled());
        return "has(" + metadata + ".ownerReferences) && " + metadata + ".ownerReferences.exists(o,"
                + " ((o.apiVersion.contains('/') ? o.apiVersion.split('/')[0] + '/' : '') + o.kind) in"
                + " variables.owners) || has(" + metadata + ".labels) && 'reconciler4j.io/owner-uid' in " + metadata
                + ".labels && has(" + metadata + ".annotations) && 'reconciler4j.io/owner' in " + metadata
                + ".annotations && " + metadata + ".annotations['reconciler4j.io/owner'].split('/')[0] in "
                + list(resources);
    }

    /** A manager of an object of a foreign kind that the operator reconciles may have written no more than a finalizer. */
    private void addManagers(Map<String, String> variables) {
        variables.put("fieldManagers", FIELD_MANAGERS);
        variables.put(
                "managed",
                "variables.known && !(variables.kind in " + list(reconciled()) + ") && (request.operation == 'CREATE'"
                        + " ? has(request.options.fieldManager) && request.options.fieldManager in variables.fieldManagers"
                        + " : has(variables.metadata.managedFields) && variables.metadata.managedFields.exists(m,"
                        + " has(m.manager) && m.manager in variables.fieldManagers && !has(m.subresource)))");
    }

    private String message() {
        return "'" + operator.name() + " must not ' + request.operation.lowerAscii() + ' ' + variables.resource + ' '"
                + " + variables.place + '/' + variables.name + ', which is not its own: let an object of its kinds own it,"
                + " or add the resource to ownOnly.allowed of the chart (R4J-124)" + "'";
    }

    /** Returns what the role names: Leases, webhook configurations, definitions, the Secret of the certificate authority. */
    private Set<String> namedObjects() {
        return operator.grants().stream()
                .filter(grant -> !grant.right().name().isEmpty()
                        && WRITES.contains(grant.right().verb()))
                .map(grant -> resource(grant.right()) + " " + namespace(grant) + "/"
                        + grant.right().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String resource(Right right) {
        String[] parts = right.resource().split("/", 2);
        return parts[0]
                + (right.group().isEmpty() ? "" : "." + right.group())
                + (parts.length > 1 ? "/" + parts[1] : "");
    }

    private static String namespace(Grant grant) {
        Area area = grant.area();
        return switch (area) {
            case WATCHED -> "*";
            case CLUSTER -> "";
            case FIXED -> grant.namespace();
            default -> WebhookSnapshot.NAMESPACE;
        };
    }

    private Set<String> owners() {
        Set<String> owners = new TreeSet<>();
        operator.definitions().forEach(definition -> owners.add(group(definition) + "/" + name(definition, "kind")));
        operator.snapshot()
                .kinds()
                .forEach(kind -> owners.add((kind.group().isEmpty() ? "" : kind.group() + "/") + kind.kind()));
        return owners;
    }

    /** Returns the foreign kinds that controllers reconcile, of which they write finalizers, annotations and the status. */
    private Set<String> reconciled() {
        Set<String> resources = new TreeSet<>(operator.snapshot().resources());
        resources.removeAll(definitions());
        return resources;
    }

    private Set<String> definitions() {
        return operator.definitions().stream()
                .map(definition -> name(definition, "plural") + "." + group(definition))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String group(Map<String, Object> definition) {
        return String.valueOf(spec(definition).get("group"));
    }

    private static String name(Map<String, Object> definition, String name) {
        return String.valueOf(
                ((Map<?, ?>) Objects.requireNonNull(spec(definition).get("names"))).get(name));
    }

    private static Map<?, ?> spec(Map<String, Object> definition) {
        return (Map<?, ?>) Objects.requireNonNull(definition.get("spec"));
    }

    /** Returns a list of texts as an expression. */
    public static String list(Collection<String> texts) {
        return texts.stream()
                .map(text -> "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'")
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
