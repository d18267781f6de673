package io.github.reconciler4j.generator.training;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.output.ExampleObjects;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.fullcluster.FullCluster;
import io.github.reconciler4j.test.request.RequestMatch;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A whole cluster inside this JVM with an application's definitions and objects of its kinds. The application is its user
 * {@code admin}. For use by one thread.
 */
final class TrainingCluster implements AutoCloseable {

    private static final RequestMatch APPLICATION = RequestMatch.any().user("admin");
    /** The shortest silence after which the application has nothing more to do. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private static final Pattern OTHER_WRITES = Pattern.compile("leases|events|.*reviews");

    private final FullCluster cluster = FullCluster.start();
    private final KubernetesServer server = cluster.server();
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(server.clientConfig(server.addUser("trainer", "system:masters")))
            .build();
    private final Consumer<String> progress;
    private final List<Map<String, Object>> objects;
    private final List<HasMetadata> added = new ArrayList<>();
    private final Set<String> asked = new HashSet<>();
    private long since;
    private long quietNanos = QUIET.toNanos();

    /** Start a server with the definitions and an object of each kind. */
    TrainingCluster(List<Map<String, Object>> definitions, Optional<Path> examples, Consumer<String> progress) {
        this.progress = progress;
        ExampleObjects known = new ExampleObjects(examples.orElse(null));
        objects = new ArrayList<>(known.ofOtherKinds(definitions));
        definitions.forEach(definition -> {
            install(definition);
            try {
                known.of(List.of(definition)).stream()
                        .filter(example -> isStored(definition, example))
                        .forEach(objects::add);
            } catch (GeneratorException e) {
                progress.accept("Warning: " + e.getMessage());
            }
        });
        objects.forEach(object -> create(object, ""));
        since = System.nanoTime();
    }

    /** All versions are the same to the server: the webhook that converts them does not run. */
    private void install(Map<String, Object> definition) {
        Map<String, Object> installed = new LinkedHashMap<>(definition);
        if (definition.get("spec") instanceof Map<?, ?> spec) {
            Map<String, Object> changed = new LinkedHashMap<>();
            spec.forEach((key, value) -> changed.put(String.valueOf(key), value));
            changed.remove("conversion");
            installed.put("spec", changed);
        }
        try {
            client.resource(Yaml.write(installed)).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return; // the client has sent it again, because the machine is slow
            }
            throw new GeneratorException("An API server refuses a definition of the application: " + e.getMessage(), e);
        }
    }

    private static boolean isStored(Map<String, Object> definition, Map<String, Object> example) {
        String version = String.valueOf(example.get("apiVersion")).replaceFirst(".*/", "");
        return definition.get("spec") instanceof Map<?, ?> spec
                && spec.get("versions") instanceof List<?> versions
                && versions.stream()
                        .anyMatch(one -> one instanceof Map<?, ?> map
                                && version.equals(map.get("name"))
                                && Boolean.TRUE.equals(map.get("storage")));
    }

    /** Create an object like those that exist, of each kind. The application gets to know them by its watches. */
    void addObjects() {
        objects.forEach(object -> added.add(create(object, "-added")));
        since = System.nanoTime();
    }

    /** Delete the objects of {@link #addObjects}. */
    void deleteAdded() {
        added.forEach(object -> client.resource(object).delete());
        added.clear();
        since = System.nanoTime();
    }

    private HasMetadata create(Map<String, Object> object, String suffix) {
        HasMetadata model = Yaml.convert(object, GenericKubernetesResource.class);
        String name = Objects.requireNonNullElse(model.getMetadata().getName(), "sample");
        model.getMetadata().setName(name + suffix);
        String namespace = model.getMetadata().getNamespace();
        try {
            if (namespace != null && client.namespaces().withName(namespace).get() == null) {
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(namespace)
                                .endMetadata()
                                .build())
                        .create();
            }
            return client.resource(model).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                progress.accept("Warning: An API server refuses the example of " + model.getKind() + ": "
                        + e.getMessage() + ". The application is trained without it");
            }
            return model;
        }
    }

    /** Write the kubeconfig of the application. */
    void writeKubeconfig(Path file) {
        server.writeKubeconfig(file);
    }

    /** Return how often the application has written an object of its own: no lease, no event and no review. */
    long writes() {
        return server.requests()
                .writes(request -> APPLICATION.test(request)
                        && !OTHER_WRITES.matcher(request.resource()).matches())
                .size();
    }

    /**
     * Return whether the application watches something and has asked for nothing new, but for its leases: for two seconds, or
     * half of the time that it took to its first request. On a slow machine its pauses between requests are longer, too. What it
     * has asked before is not new: applications poll, and try again what was refused, as long as they run.
     */
    boolean isQuiet() {
        boolean first = asked.isEmpty();
        boolean isNew =
                asked.addAll(server
                        .requests()
                        .matching(request ->
                                APPLICATION.test(request) && !request.resource().equals("leases"))
                        .stream()
                        .map(logged ->
                                logged.request().verb() + " " + logged.request().path())
                        .collect(Collectors.toSet()));
        if (isNew) {
            if (first) {
                quietNanos = Math.max(QUIET.toNanos(), (System.nanoTime() - since) / 2);
            }
            since = System.nanoTime();
        }
        return server.watches(APPLICATION) > 0 && System.nanoTime() - since > quietNanos;
    }

    @Override
    public void close() {
        client.close();
        cluster.close();
    }
}
