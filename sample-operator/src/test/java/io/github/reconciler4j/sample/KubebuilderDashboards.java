package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** The queries of Kubebuilder's dashboards, from {@code kubebuilder-queries.yaml}. */
final class KubebuilderDashboards {

    private static final String FILE = "/kubebuilder-queries.yaml";

    private KubebuilderDashboards() {}

    /** The queries for a job, a namespace and a pod. */
    @SuppressWarnings("unchecked")
    static List<String> queries(String job, String namespace, String pod) throws IOException {
        try (InputStream file = KubebuilderDashboards.class.getResourceAsStream(FILE)) {
            Map<String, List<String>> dashboards = new KubernetesSerialization().unmarshal(file, Map.class);
            List<String> queries = dashboards.values().stream()
                    .flatMap(List::stream)
                    .map(query -> query.replace("$job", job)
                            .replace("$namespace", namespace)
                            .replace("$pod", pod))
                    .toList();
            assertThat(queries).hasSizeGreaterThan(15);
            return queries;
        }
    }
}
