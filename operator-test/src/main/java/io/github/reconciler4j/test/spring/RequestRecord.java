package io.github.reconciler4j.test.spring;

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
import org.jspecify.annotations.Nullable;

/**
 * What the operator asked of the server in this JVM, and the test in which it first did. The goal {@code check-rbac} of
 * {@code reconciler4j-maven-plugin} compares the files with the generated role. Used by the thread that runs the tests.
 */
final class RequestRecord {

    /** The system property with the folder of the files. */
    static final String PROPERTY = "reconciler4j.test.requests";

    private static final Path MAVEN = Path.of("target");

    /** Beyond these the names of objects tell nothing new. */
    private static final int NAMES = 20;

    private final KubernetesServer server;
    private final Set<LoggedRequest> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Map<String, String>> requests = new LinkedHashMap<>();
    private final Map<String, Set<String>> namesOf = new TreeMap<>();

    RequestRecord(KubernetesServer server) {
        this.server = server;
    }

    /** Takes in what was asked since the last call, in the name of a test, and returns what of it was refused. */
    List<ServerRequest> take(String test) {
        List<ServerRequest> refused = new ArrayList<>();
        for (LoggedRequest logged : server.requests().all()) {
            ServerRequest request = logged.request();
            if (!TestCluster.OPERATOR.equals(request.user())
                    || !seen.add(logged)
                    || request.resource().isEmpty()) {
                continue;
            }
            if (logged.status() == 403) {
                refused.add(request);
            }
            if (!request.group().equals("authorization.k8s.io")) {
                add(test, request, request.verb());
                if (request.verb().equals("patch") && logged.status() == 201) {
                    add(test, request, "create"); // an apply of an object that did not exist needs both
                }
            }
        }
        return refused;
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

    /** Writes what was first asked in a test class into its file. */
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

    /** Says which rights are missing and how to declare them. */
    static String refusal(Collection<ServerRequest> refused) {
        Map<String, Set<String>> verbs = new TreeMap<>();
        refused.forEach(request -> verbs.computeIfAbsent(
                        "@Permission("
                                + (request.group().isEmpty() ? "" : "group = \"" + request.group() + "\", ")
                                + "resources = \"" + resource(request) + "\", verbs = ",
                        absent -> new TreeSet<>())
                .add('"' + request.verb() + '"'));
        StringBuilder text = new StringBuilder(
                "The generated role does not grant what the operator asked for. Declare in @Reconciler:\n");
        verbs.forEach((declaration, names) -> text.append("  ")
                .append(declaration)
                .append(names.size() == 1 ? names.iterator().next() : "{" + String.join(", ", names) + "}")
                .append(")\n"));
        text.append("The refused requests:");
        refused.stream()
                .map(request -> "\n  " + request.verb() + " " + resource(request) + " "
                        + (request.namespace().isEmpty() ? "" : request.namespace() + "/") + request.name())
                .distinct()
                .forEach(text::append);
        return text.toString();
    }
}
