package io.github.reconciler4j.brake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nonsense in the annotations of the Lease, and a cache that holds something else than what is deleted. */
class BrakeHostileTests extends BrakeFixture {

    /** How many objects the brake lists at a time. */
    private static final int PAGE = 500;

    @Test
    void nonsenseOfAPersonIsNeitherAMetricNorALongMessage() {
        createAll(1);
        StringBuilder patch = new StringBuilder("{\"metadata\":{\"annotations\":{\"brake.reconciler4j.io/web\":\"")
                .append("\\n\\u001b[31mline ".repeat(5_000))
                .append('"');
        for (int each = 0; each < 1_000; each++) {
            patch.append(",\"brake.reconciler4j.io/none-").append(each).append("\":\"\"");
        }
        new StopLease(connection, LEASE).write("other", "first");
        connection.send(
                ApiRequest.of("patch", "PATCH", "/apis/coordination.k8s.io/v1/namespaces/default/leases/web-brake")
                        .withBody(
                                "application/merge-patch+json",
                                patch.append("}}}").toString().getBytes(StandardCharsets.UTF_8)));

        work(() -> assertThatExceptionOfType(BrakeException.class)
                .isThrownBy(() -> delete("map-0"))
                .satisfies(refusal ->
                        assertThat(refusal.getMessage()).hasSizeLessThan(2_000).doesNotContain("\n", "\u001b")));
        assertThat(brake().stops()).hasSizeGreaterThan(1_000);
        assertThat(metrics.gaugeNames()).noneMatch(name -> name.contains("none-"));
        user.delete(Kind.of(Lease.class), LEASE, DeletionOptions.defaults());
    }

    /** The cache held more objects than now, and does not hold those that are to be deleted. */
    @Test
    void deletionOfManyIsCountedToTheLimit() {
        String other = namespace + "-other";
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(other)
                .endMetadata()
                .build());
        restart(
                options().withShare(1),
                CacheOptions.defaults()
                        .withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of(namespace))));
        createAll(PAGE + 20);
        work(() -> delete("map-0"));
        Selection all = Selection.inNamespace(namespace);
        user.deleteAll(Kind.of(ConfigMap.class), all, DeletionOptions.defaults());
        awaitCached(0);
        for (int each = 0; each < PAGE + 100; each++) {
            ConfigMap map = map("map-" + each).build();
            map.getMetadata().setNamespace(other);
            user.create(map);
        }

        work(() -> assertThatExceptionOfType(BrakeException.class)
                .isThrownBy(() -> manager.client()
                        .deleteAll(Kind.of(ConfigMap.class), all.withNamespace(other), DeletionOptions.defaults())));
        assertThat(user.live().list(Kind.of(ConfigMap.class).metadata(), all.withNamespace(other)))
                .hasSize(PAGE + 100);
    }
}
