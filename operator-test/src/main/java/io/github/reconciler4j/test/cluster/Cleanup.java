package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.api.model.APIGroupList;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what a test created on a cluster that others use afterwards. The operator under test has ended by then, so that
 * nothing removes its finalizers. They would keep objects, their namespaces and their definitions. So finalizers that are
 * not those of Kubernetes go first, in the namespaces and from the custom resources of the test alone. A request that fails does
 * not prevent the others.
 */
final class Cleanup {
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
    private static final Duration END = Duration.ofSeconds(30);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient client;
    private final Duration end;
    private final List<String> problems = new ArrayList<>();
    private @Nullable KubernetesClientException first;

    Cleanup(KubernetesClient client) {
        this(client, END);
    }

    /** Create one that waits so long for the end of each definition. */
    Cleanup(KubernetesClient client, Duration end) {
        this.client = client;
        this.end = end;
    }

    /**
     * Delete namespaces and definitions, and wait until the definitions are gone: a test that applied one meanwhile would lose it. The
     * deletion of namespaces is asynchronous.
     *
     * @throws IllegalStateException after all requests, if some failed; names what has to be removed by hand
     */
    void delete(Collection<HasMetadata> created) {
        List<String> namespaces = created.stream()
                .filter(Namespace.class::isInstance)
                .map(namespace -> namespace.getMetadata().getName())
                .toList();
        created.forEach(object ->
                attempt("delete " + name(object), () -> client.resource(object).delete()));
        created.forEach(object -> attempt("release " + name(object), () -> releaseItself(object)));
        if (!namespaces.isEmpty()) {
            attempt(
                    "find what is in " + namespaces,
                    () -> namespacedResources()
                            .forEach(resource -> namespaces.forEach(namespace -> release(resource, namespace))));
        }
        List<CustomResourceDefinition> definitions = created.stream()
                .filter(CustomResourceDefinition.class::isInstance)
                .map(CustomResourceDefinition.class::cast)
                .toList();
        definitions.forEach(this::releaseAll);
        definitions.forEach(definition -> attempt("see the end of " + name(definition), () -> awaitEnd(definition)));
        if (!problems.isEmpty()) {
            throw new IllegalStateException(
                    "Some of what the test created has to be removed by hand: " + String.join("; ", problems), first);
        }
    }

    /** What does not exist any more, or cannot be written, needs no cleanup. */
    private void attempt(String what, Runnable request) {
        try {
            request.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404 && e.getCode() != 405) {
                problems.add("could not " + what + ": " + e.getMessage());
                first = first == null ? e : first;
            }
        }
    }

    private static String name(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName();
    }

    private void awaitEnd(CustomResourceDefinition definition) {
        try {
            client.resource(definition)
                    .waitUntilCondition(
                            live -> live == null
                                    || live.getMetadata().getDeletionTimestamp() == null, // another test has created it
                            end.toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (KubernetesClientTimeoutException e) {
            warn(definition.getSpec().getNames().getPlural(), e);
        }
    }

    /** An operator can have finalizers on namespaces and definitions too. */
    private void releaseItself(HasMetadata created) {
        HasMetadata live = client.resource(created).get();
        if (live != null && isHeld(live)) {
            client.resource(live).patch(MERGE, withoutForeign(live));
        }
    }

    private List<ResourceDefinitionContext> namespacedResources() {
        List<ResourceDefinitionContext> found = new ArrayList<>(resources("", "v1"));
        APIGroupList groups = client.getApiGroups();
        if (groups != null) {
            groups.getGroups()
                    .forEach(group -> found.addAll(resources(
                            group.getName(), group.getPreferredVersion().getVersion())));
        }
        return found;
    }

    private List<ResourceDefinitionContext> resources(String group, String version) {
        APIResourceList list = client.getApiResources(group.isEmpty() ? version : group + "/" + version);
        if (list == null) {
            return List.of();
        }
        return list.getResources().stream()
                .filter(Cleanup::canHold)
                .map(resource -> new ResourceDefinitionContext.Builder()
                        .withGroup(group)
                        .withVersion(version)
                        .withKind(resource.getKind())
                        .withPlural(resource.getName())
                        .withNamespaced(true)
                        .build())
                .toList();
    }

    private static boolean canHold(APIResource resource) {
        return resource.getNamespaced()
                && !resource.getName().contains("/")
                && resource.getVerbs().containsAll(List.of("list", "patch"));
    }

    private void releaseAll(CustomResourceDefinition definition) {
        String version = definition.getSpec().getVersions().stream()
                .filter(CustomResourceDefinitionVersion::getStorage)
                .findFirst()
                .orElseThrow()
                .getName();
        ResourceDefinitionContext resource = new ResourceDefinitionContext.Builder()
                .withGroup(definition.getSpec().getGroup())
                .withVersion(version)
                .withKind(definition.getSpec().getNames().getKind())
                .withPlural(definition.getSpec().getNames().getPlural())
                .withNamespaced(definition.getSpec().getScope().equals("Namespaced"))
                .build();
        release(resource, null);
    }

    private void release(ResourceDefinitionContext resource, @Nullable String namespace) {
        try {
            var all = client.genericKubernetesResources(resource);
            List<GenericKubernetesResource> objects = namespace == null
                    ? all.inAnyNamespace().list().getItems()
                    : all.inNamespace(namespace).list().getItems();
            objects.stream().filter(Cleanup::isHeld).forEach(object -> releaseOne(resource, object));
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404 && e.getCode() != 405) {
                warn(resource.getPlural(), e);
            }
        }
    }

    private static void warn(String plural, KubernetesClientException e) {
        LOG.warn("Could not release the {} of the test; delete them by hand (R4J-808)", plural, e);
    }

    private static boolean isHeld(HasMetadata object) {
        return object.getMetadata().getFinalizers().stream().anyMatch(Cleanup::isForeign);
    }

    /** Return whether the controllers of the cluster remove this finalizer, as they do for those of Kubernetes. */
    private static boolean isForeign(String finalizer) {
        String domain = finalizer.contains("/") ? finalizer.substring(0, finalizer.indexOf('/')) : "";
        return !domain.isEmpty()
                && !domain.equals("kubernetes.io")
                && !domain.endsWith(".kubernetes.io")
                && !domain.endsWith("k8s.io");
    }

    private void releaseOne(ResourceDefinitionContext resource, GenericKubernetesResource object) {
        attempt(
                "release " + name(object),
                () -> client.genericKubernetesResources(resource)
                        .resource(object)
                        .patch(MERGE, withoutForeign(object)));
    }

    private static String withoutForeign(HasMetadata object) {
        String kept = object.getMetadata().getFinalizers().stream()
                .filter(finalizer -> !isForeign(finalizer))
                .map(finalizer -> '"' + finalizer + '"')
                .collect(Collectors.joining(","));
        return "{\"metadata\":{\"finalizers\":[" + kept + "]}}";
    }
}
