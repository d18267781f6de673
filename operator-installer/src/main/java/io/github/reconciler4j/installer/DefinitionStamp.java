package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.manager.ManagerOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The annotations by which the versions of an operator recognize who has applied a definition, and in which state. Safe for use by
 * multiple threads.
 */
final class DefinitionStamp {

    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private final ReleaseOrder order = new ReleaseOrder();

    /** The version of this operator, empty if it is unknown. */
    private final String version;

    DefinitionStamp(String version) {
        this.version = version.equals(ManagerOptions.defaults().version()) ? "" : version;
    }

    /** Returns a definition with its former versions and the annotations. */
    CustomResourceDefinition put(CustomResourceDefinition definition, List<CustomResourceDefinitionVersion> former) {
        return new CustomResourceDefinitionBuilder(definition)
                .withStatus(null)
                .editMetadata()
                .addToAnnotations(CrdInstaller.VERSION_ANNOTATION, version)
                .addToAnnotations(CrdInstaller.DIGEST_ANNOTATION, digest(definition, former))
                .endMetadata()
                .editSpec()
                .addAllToVersions(former)
                .endSpec()
                .build();
    }

    /** Whether this version of the operator has applied a definition last. */
    boolean isOn(CustomResourceDefinition live, CustomResourceDefinition definition) {
        return DefinitionState.annotation(live, CrdInstaller.DIGEST_ANNOTATION)
                .equals(digest(definition, DefinitionState.formerVersions(definition, live)));
    }

    /** Whether a newer version of the operator has applied a definition. */
    boolean isOlderThan(CustomResourceDefinition live) {
        String writer = DefinitionState.annotation(live, CrdInstaller.VERSION_ANNOTATION);
        return !writer.isEmpty() && !version.isEmpty() && order.compare(writer, version) > 0;
    }

    private static String digest(CustomResourceDefinition definition, List<CustomResourceDefinitionVersion> former) {
        String text = JSON.asJson(definition) + DefinitionState.names(former);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
