package io.github.reconciler4j.sample;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the pods of a namespace as processes on this machine, since the control plane of the tests has no nodes. It replaces
 * the scheduler, the kubelet and the container runtime: it binds each pod to a node of its own, starts the jar that stands
 * for the image, probes it over HTTP as the pod says, reports the pod's status, and ends the process with SIGTERM when the
 * pod is deleted. See {@link LocalPod} for what of a pod it applies and what it does not.
 */
final class LocalKubelet {

    private static final String NODE = "this-machine";

    private final RealKubernetes kubernetes;
    private final KubernetesClient client;
    private final String namespace;
    private final Path folder;
    private final Map<String, Path> images;
    private final Map<String, LocalPod> pods = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, String> reported = new HashMap<>();
    private final Thread thread = new Thread(this::run, "local-kubelet");
    private volatile boolean running = true;

    private LocalKubelet(RealKubernetes kubernetes, String namespace, Path folder, Map<String, Path> images) {
        this.kubernetes = kubernetes;
        this.namespace = namespace;
        this.folder = folder;
        this.images = images;
        client = new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
    }

    /**
     * Starts it.
     *
     * @param folder where pods have their volumes and logs
     * @param images the jars by the names of images; a pod with another image never starts
     */
    static LocalKubelet start(RealKubernetes kubernetes, String namespace, Path folder, Map<String, Path> images) {
        LocalKubelet kubelet = new LocalKubelet(kubernetes, namespace, folder, images);
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName(NODE)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        kubelet.client.resource(node).create();
        kubelet.thread.start();
        return kubelet;
    }

    private void run() {
        try {
            while (running) {
                try {
                    for (Pod pod : client.pods().inNamespace(namespace).list().getItems()) {
                        syncIfItIsThere(pod);
                    }
                } catch (KubernetesClientException e) {
                    if (e.getCode() >= 400 && e.getCode() < 500) {
                        throw e;
                    }
                    // The API server did not answer, as on a busy machine: again
                }
                Thread.sleep(200);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void syncIfItIsThere(Pod pod) throws IOException {
        try {
            sync(pod);
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404 && e.getCode() != 409) {
                throw e;
            }
        }
    }

    private void sync(Pod pod) throws IOException {
        if (pod.getSpec().getNodeName() == null) {
            bind(pod);
            return;
        }
        String uid = pod.getMetadata().getUid();
        LocalPod local = pods.get(uid);
        if (local == null) {
            String image = pod.getSpec().getContainers().get(0).getImage();
            Path jar = images.get(image);
            if (jar == null) {
                report(pod, LocalPod.imageMissing(image));
            } else if (pod.getMetadata().getDeletionTimestamp() == null) {
                pods.put(uid, LocalPod.start(kubernetes, client, pod, jar, folder.resolve(uid)));
            }
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            if (local == null
                    || local.hasEnded(Duration.ofSeconds(pod.getMetadata().getDeletionGracePeriodSeconds()))) {
                client.resource(pod).withGracePeriod(0).delete();
            }
        } else if (local != null) {
            report(pod, local.status());
        }
    }

    private void bind(Pod pod) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(NODE)
                .endTarget()
                .build();
        client.bindings().inNamespace(namespace).resource(binding).create();
    }

    private void report(Pod pod, String status) {
        if (!status.equals(reported.put(pod.getMetadata().getUid(), status))) {
            client.pods()
                    .inNamespace(namespace)
                    .withName(pod.getMetadata().getName())
                    .subresource("status")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), status);
        }
    }

    KubernetesClient client() {
        return client;
    }

    /** Returns the pods that were started, in that order. */
    List<LocalPod> pods() {
        return List.copyOf(pods.values());
    }

    /** Kills all processes. */
    void stop() throws InterruptedException {
        running = false;
        thread.interrupt();
        thread.join();
        pods.values().forEach(LocalPod::kill);
        client.close();
    }
}
