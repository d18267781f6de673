package io.github.reconciler4j.generator.rbac;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares what roles grant with what an operator asked of the API server in its tests. Immutable.
 *
 * @since 0.1.0
 */
public final class RbacCheck {

    /** Whose field {@code caBundle} the operator applies, by name. */
    private static final Set<String> WEBHOOK_RESOURCES =
            Set.of("customresourcedefinitions", "mutatingwebhookconfigurations", "validatingwebhookconfigurations");

    private static final String WEBHOOK_GROUP = "admissionregistration.k8s.io";

    /** The start of the names that tests choose if no role names webhook configurations. */
    private static final String TEST_NAME = "operator-test-";

    /** The names of the Leases of shards, of their borders, and of the replicas that share them. */
    private static final Pattern SHARDS = Pattern.compile(".+-(shard-\\d+|replica-.+|borders)");

    private final List<Granted> granted;
    private final List<Asked> asked;

    private RbacCheck(List<Granted> granted, List<Asked> asked) {
        this.granted = granted;
        this.asked = asked;
    }

    /**
     * A right and where it is granted.
     *
     * @param namespace the namespace, {@code ""} for all
     * @param certificates whether it is for the certificates of webhooks
     * @param sharding whether it is for sharding
     */
    private record Granted(Right right, String namespace, boolean certificates, boolean sharding) {

        boolean covers(Asked request) {
            return matches(right.group(), request.right.group())
                    && matches(right.resource(), request.right.resource())
                    && matches(right.verb(), request.right.verb())
                    && (right.name().isEmpty() || right.name().equals(request.right.name()) || isLease(right))
                    && (namespace.isEmpty() || namespace.equals(request.namespace) || isLease(right) || isEvent(right))
                    && (!isLease(right) || isForLeaseOf(request));
        }

        /**
         * Return whether the framework needs this right because of a request, though maybe in no test: a list if the server streams none
         * in watches, a read of a watched object after a restart, or another occurrence of a recorded event.
         */
        boolean belongsTo(Asked request) {
            return switch (right.verb()) {
                case "get", "list" -> with("watch").covers(request);
                case "patch" -> isEvent(right) && with("create").covers(request);
                default -> false;
            };
        }

        private Granted with(String verb) {
            Right other = new Right(right.group(), right.resource(), right.name(), verb);
            return new Granted(other, namespace, certificates, sharding);
        }

        /** Elections and sharding have roles of their own, and both create Leases. */
        private boolean isForLeaseOf(Asked request) {
            return request.isForShards()
                    ? sharding || right.name().isEmpty()
                    : !sharding || request.right.verb().equals("create");
        }

        private static boolean matches(String pattern, String value) {
            return pattern.equals("*")
                    || pattern.equals(value)
                    || pattern.startsWith("*/") && value.endsWith(pattern.substring(1));
        }

        /** Tests name leases as they like; the chart names them after the release. */
        private static boolean isLease(Right right) {
            return right.resource().equals("leases");
        }

        /** In one namespace only, events are about leases. */
        private static boolean isEvent(Right right) {
            return right.group().equals("events.k8s.io");
        }

        /** Few tests see two equal events about a lease, and none has to. */
        boolean isForEventsOfLeases() {
            return isEvent(right) && !namespace.isEmpty();
        }
    }

    /** A request, and the test in which it was first seen. */
    private record Asked(Right right, String namespace, String test) {

        /** Return whether it is for the Lease of a shard or of a replica, or for all of them. */
        boolean isForShards() {
            return right.resource().equals("leases")
                    && (SHARDS.matcher(right.name()).matches()
                            || right.name().isEmpty() && !right.verb().equals("create"));
        }

        /** In tests, the operator creates the webhook configurations that a chart installs. */
        boolean isInstallation() {
            return right.group().equals(WEBHOOK_GROUP)
                    && (right.verb().equals("create") || right.name().startsWith(TEST_NAME));
        }

        @Override
        public String toString() {
            Right whole = new Right(right.group(), right.resource(), "", right.verb());
            String object = (namespace.isEmpty() ? "" : namespace + "/") + right.name();
            return whole + (object.isEmpty() ? "" : " " + object);
        }
    }

    /**
     * Read roles and recorded requests.
     *
     * @param roles the file with the roles
     * @param requests the folder with the records of {@code @OperatorTest}
     * @throws GeneratorException if the files are missing or cannot be read
     */
    public static RbacCheck read(Path roles, Path requests) {
        List<Granted> granted = new ArrayList<>();
        for (Map<String, Object> object : Yaml.readAll(text(roles), roles.toString())) {
            if (object.get("rules") instanceof List<?> rules) {
                Map<?, ?> metadata = (Map<?, ?>) object.getOrDefault("metadata", Map.of());
                String namespace = Objects.toString(metadata.get("namespace"), "");
                boolean certificates = Objects.toString(metadata.get("name")).endsWith("-webhook");
                boolean sharding = Objects.toString(metadata.get("name")).endsWith("-sharding");
                PolicyRules.rights(rules.stream().map(rule -> (Map<?, ?>) rule).toList())
                        .forEach(right -> granted.add(new Granted(right, namespace, certificates, sharding)));
            }
        }
        List<Asked> asked = new ArrayList<>();
        for (Path file : files(requests)) {
            if (Yaml.readValue(text(file), file.toString()) instanceof List<?> list) {
                list.forEach(entry -> asked.add(asked((Map<?, ?>) entry)));
            }
        }
        if (asked.isEmpty()) {
            throw new GeneratorException(
                    "There are no records of requests in " + requests
                            + ": tests with @OperatorTest write them while they run against the API server in their JVM (R4J-731)");
        }
        return new RbacCheck(granted, asked);
    }

    private static Asked asked(Map<?, ?> entry) {
        return new Asked(
                new Right(text(entry, "group"), text(entry, "resource"), text(entry, "name"), text(entry, "verb")),
                text(entry, "namespace"),
                text(entry, "test"));
    }

    private static String text(Map<?, ?> entry, String key) {
        return Objects.toString(entry.get(key), "");
    }

    private static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new GeneratorException("Cannot read " + folder + ": " + e.getMessage(), e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new GeneratorException("Cannot read " + file + ": generate it first (R4J-735)", e);
        }
    }

    /** Return what is missing: a sentence for each right, with the tests that need it and how to declare it. */
    public List<String> missing() {
        Map<Right, List<Asked>> missing = new TreeMap<>();
        for (Asked request : asked) {
            if (!request.isInstallation() && granted.stream().noneMatch(grant -> grant.covers(request))) {
                Right right = new Right(request.right.group(), request.right.resource(), "", request.right.verb());
                missing.computeIfAbsent(right, absent -> new ArrayList<>()).add(request);
            }
        }
        List<String> sentences = new ArrayList<>();
        missing.forEach((right, requests) -> sentences.add("no rule grants '" + right + "', which "
                + requests.get(0).test + " needs (" + requests.get(0) + "): declare @Permission("
                + (right.group().isEmpty() ? "" : "group = \"" + right.group() + "\", ") + "resources = \""
                + right.resource() + "\", verbs = \"" + right.verb() + "\") (R4J-732)"));
        return sentences;
    }

    /**
     * Return what no test has needed: a sentence for each resource. Finalizers and accounts to impersonate are left out, which no request
     * names, and leases and events if no test has leader election, sharding or records events, the rights to get and list what is watched and
     * to patch events that are created, the status of definitions, which is written after an upgrade with another storage version, and what certificates of webhooks need if no test
     * has them, or if only the replacement of their authority after months does.
     */
    public List<String> unused() {
        Map<String, Set<String>> unused = new LinkedHashMap<>();
        for (Granted grant : granted) {
            Right right = grant.right;
            if (right.resource().endsWith("/finalizers")
                    || right.verb().equals("impersonate")
                    || right.resource().equals("customresourcedefinitions/status")
                    || grant.isForEventsOfLeases()
                    || !isTested(grant)
                    || asked.stream().anyMatch(request -> grant.covers(request) || grant.belongsTo(request))) {
                continue;
            }
            unused.computeIfAbsent(
                            new Right(right.group(), right.resource(), right.name(), "")
                                    .toString()
                                    .strip(),
                            absent -> new TreeSet<>())
                    .add(right.verb());
        }
        return unused.entrySet().stream()
                .map(entry -> "no test has needed " + String.join(", ", entry.getValue()) + " on " + entry.getKey())
                .collect(Collectors.toList());
    }

    private boolean isTested(Granted grant) {
        Right right = grant.right;
        boolean webhooks = grant.certificates
                || WEBHOOK_RESOURCES.contains(right.resource()) && !right.name().isEmpty();
        if (grant.sharding) { // elections do not list leases
            return asked.stream()
                    .map(Asked::right)
                    .anyMatch(request -> request.resource().equals("leases")
                            && request.verb().equals("list"));
        }
        return webhooks
                ? !(grant.certificates && right.verb().equals("update"))
                        && asked.stream()
                                .anyMatch(request -> request.right.group().equals(WEBHOOK_GROUP))
                : !List.of("leases", "events").contains(right.resource())
                        || asked.stream()
                                .anyMatch(request -> request.right.resource().equals(right.resource()));
    }

    /**
     * Return the tests that need a right, since no other one grants a request of theirs: for instance to see what breaks
     * without it.
     */
    public Collection<String> testsThatNeed(Right right) {
        Granted whole = new Granted(right, "", false, false);
        return asked.stream()
                .filter(request -> whole.covers(request)
                        && granted.stream().noneMatch(grant -> !grant.right.equals(right) && grant.covers(request)))
                .map(Asked::test)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
