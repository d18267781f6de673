package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.Client;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PodController {

    private final Client client;
    private final KubernetesSerialization kubernetes = new KubernetesSerialization();

    PodController(Client client) {
        this.client = client;
    }

    @GetMapping(path = "/pods/{namespace}/{name}", produces = MediaType.APPLICATION_JSON_VALUE)
    Optional<String> pod(@PathVariable String namespace, @PathVariable String name) {
        return client.get(Pod.class, namespace, name).map(kubernetes::asJson);
    }
}
