package io.github.reconciler4j.test.spring;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.ServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the operator to the server in this JVM, each with the test in which it was first sent. The goal
 * {@code check-rbac} of {@code reconciler4j-maven-plugin} compares the files with the generated role. Used by the thread
 * that runs the tests.
 */
final class RequestRecord {

    /** The system property with the folder of the files. */
    static final String PROPERTY = "reconciler4j.test.requests";

    private static final Path MAVEN = Path.of("target");

    /** More names of objects for the same right add nothing. */
    private static final int NAMES = 20;

    private final TestCluster cluster;
    private final KubernetesServer server;
    private final Set<LoggedRequest> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Map<String, String>> requests = new LinkedHashMap<>();
    private final Map<String, Set<String>> namesOf = new TreeMap<>();

    RequestRecord(TestCluster cluster, KubernetesServer server) {
        this.cluster = cluster;
        this.server = server;
    }

    /**
     * A request that the server refused.
     *
     * @param verb the verb that the role lacks; an apply that creates an object needs {@code create}, too. Empty if the role grants
     *     the request, so that an admission policy has denied it
     */
    record Refusal(String verb, ServerRequest request) {

        private boolean isDenied() {
            return verb.isEmpty();
        }

        @Override
        public String toString() {
            return request.verb() + " " + RequestRecord.resource(request) + " "
                    + (request.namespace().isEmpty() ? "" : request.namespace() + "/") + request.name();
        }
    }

    /** Whether the operator sent a request, for itself or with the service account of a controller. */
    private static boolean isOfTheOperator(String user) {
        return user.equals(TestCluster.OPERATOR) || user.startsWith("system:serviceaccount:");
    }

    /** Records the requests since the last call under the name of a test, and returns those that the server refused. */
    List<Refusal> take(String test) {
        List<Refusal> refused = new ArrayList<>();
        for (LoggedRequest logged : server.requests().all()) {
            ServerRequest request = logged.request();
            if (!isOfTheOperator(request.user())
                    || !seen.add(logged)
                    || request.resource().isEmpty()) {
                continue;
            }
            if (logged.status() == 403) {
                refused.add(new Refusal(missingVerb(request), request));
            }
            if (!request.group().equals("authorization.k8s.io")) {
                add(test, request, request.verb());
                if (request.verb().equals("patch") && logged.status() == 201) {
                    add(test, request, "create"); // an apply that creates needs both
                }
            }
        }
        return refused;
    }

    private String missingVerb(ServerRequest request) {
        if (!isGranted(request, request.verb())) {
            return request.verb();
        }
        return request.verb().equals("patch") && !isGranted(request, "create") ? "create" : "";
    }

    private boolean isGranted(ServerRequest request, String verb) {
        SubjectAccessReview review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(request.user())
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(request.group())
                .withResource(request.resource())
                .withSubresource(request.subresource())
                .withNamespace(request.namespace())
                .withName(request.name())
                .endResourceAttributes()
                .endSpec()
                .build();
        return cluster.client().resource(review).create().getStatus().getAllowed();
    }

    private void add(String test, ServerRequest request, String verb) {
        String right = verb + " " + resource(request) + "." + request.group();
        String object = request.namespace() + "/" + request.name();
        Set<String> known = namesOf.computeIfAbsent(right, absent -> new TreeSet<>());
        if (known.contains(object) || known.size() >= NAMES) {
            return;
        }
        known.add(object);
        Map<String, String> entry = new LinkedHashMap<>();
        entry.put("verb", verb);
        entry.put("group", request.group());
        entry.put("resource", resource(request));
        entry.put("namespace", request.namespace());
        entry.put("name", request.name());
        entry.put("test", test);
        requests.put(right + " " + object, entry);
    }

    private static String resource(ServerRequest request) {
        return request.subresource().isEmpty() ? request.resource() : request.resource() + "/" + request.subresource();
    }

    /** Writes the requests that were first sent in a test class into its file. */
    void write(Class<?> testClass) {
        Path folder = folder();
        List<Map<String, String>> ofClass = requests.values().stream()
                .filter(entry -> String.valueOf(entry.get("test")).startsWith(testClass.getName()))
                .toList();
        if (folder == null || ofClass.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve(testClass.getName() + ".yaml"), new KubernetesSerialization().asYaml(ofClass));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Path folder() {
        String property = System.getProperty(PROPERTY);
        if (property != null) {
            return property.isEmpty() ? null : Path.of(property);
        }
        return Files.isDirectory(MAVEN) ? MAVEN.resolve("reconciler4j").resolve("requests") : null;
    }

    /** Returns a message with the permissions to declare, and what to do about requests that a policy has denied. */
    static String message(Collection<Refusal> refused) {
        List<Refusal> denied = refused.stream().filter(Refusal::isDenied).toList();
        List<Refusal> notGranted =
                refused.stream().filter(refusal -> !refusal.isDenied()).toList();
        return Stream.of(
                        notGranted.isEmpty() ? "" : roleMessage(notGranted),
                        denied.isEmpty() ? "" : policyMessage(denied))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private static String roleMessage(List<Refusal> refused) {
        Map<String, Set<String>> verbs = new TreeMap<>();
        for (Refusal refusal : refused) {
            ServerRequest request = refusal.request();
            String declaration = "@Permission("
                    + (request.group().isEmpty() ? "" : "group = \"" + request.group() + "\", ")
                    + "resources = \"" + resource(request) + "\", verbs = ";
            verbs.computeIfAbsent(declaration, absent -> new TreeSet<>()).add('"' + refusal.verb() + '"');
        }
        StringBuilder text = new StringBuilder(
                "The roles do not grant what the operator requested (R4J-805). Declare in @Reconciler, or add to your own roles:\n");
        verbs.forEach((declaration, names) -> text.append("  ")
                .append(declaration)
                .append(names.size() == 1 ? names.iterator().next() : "{" + String.join(", ", names) + "}")
                .append(")\n"));
        return text + "The refused requests:" + lines(refused);
    }

    private static String policyMessage(List<Refusal> denied) {
        return "The roles grant what the operator requested, but an admission policy or plug-in denied it (R4J-810). If it is the"
                + " policy of ownOnly, let an object of your kinds own the object, or add the resource to ownOnly.allowed of the"
                + " chart; the log of the operator has the policy's message. The denied requests:" + lines(denied);
    }

    private static String lines(List<Refusal> refused) {
        return refused.stream().map(refusal -> "\n  " + refusal).distinct().collect(Collectors.joining());
    }
}
