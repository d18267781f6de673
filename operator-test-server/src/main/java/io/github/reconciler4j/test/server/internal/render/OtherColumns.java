package io.github.reconciler4j.test.server.internal.render;

import static io.github.reconciler4j.test.server.internal.render.Cells.flag;
import static io.github.reconciler4j.test.server.internal.render.Cells.items;
import static io.github.reconciler4j.test.server.internal.render.Cells.number;
import static io.github.reconciler4j.test.server.internal.render.Cells.text;
import static io.github.reconciler4j.test.server.internal.render.Cells.value;
import static io.github.reconciler4j.test.server.internal.render.Cells.valueOr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns of storage, rights, policies and scaling. */
final class OtherColumns {
    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    private OtherColumns() {}

    static void addTo(Map<String, Columns> all) {
        all.put("persistentvolumes", volumes());
        all.put("persistentvolumeclaims", claims());
        all.put("storageclasses.storage.k8s.io", storageClasses());
        all.put("rolebindings.rbac.authorization.k8s.io", bindings());
        all.put("clusterrolebindings.rbac.authorization.k8s.io", bindings());
        all.put("poddisruptionbudgets.policy", budgets());
        all.put("horizontalpodautoscalers.autoscaling", autoscalers());
        all.put("resourcequotas", quotas());
        all.put("priorityclasses.scheduling.k8s.io", priorities());
        all.put(
                "runtimeclasses.node.k8s.io",
                ColumnTable.named().text("Handler", value("handler")).age());
        for (String plural : List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")) {
            all.put(
                    plural + ".admissionregistration.k8s.io",
                    ColumnTable.named()
                            .number("Webhooks", object -> Cells.size(object, "webhooks"))
                            .age());
        }
    }

    private static String modes(ObjectNode object, String path) {
        return Json.texts(object, path.split("\\.")).stream()
                .map(mode -> MODES.getOrDefault(mode, mode))
                .collect(Collectors.joining(","));
    }

    private static String phase(ObjectNode object) {
        return text(object, "metadata.deletionTimestamp").isEmpty() ? text(object, "status.phase") : "Terminating";
    }

    private static Columns volumes() {
        return ColumnTable.named()
                .text("Capacity", valueOr("spec.capacity.storage", "0"))
                .text("Access Modes", object -> modes(object, "spec.accessModes"))
                .text("Reclaim Policy", value("spec.persistentVolumeReclaimPolicy"))
                .text("Status", OtherColumns::phase)
                .text("Claim", OtherColumns::claim)
                .text("StorageClass", value("spec.storageClassName"))
                .text("VolumeAttributesClass", valueOr("spec.volumeAttributesClassName", Cells.UNSET))
                .text("Reason", value("status.reason"))
                .age()
                .wide()
                .text("VolumeMode", valueOr("spec.volumeMode", Cells.UNSET));
    }

    private static String claim(ObjectNode volume) {
        return Cells.at(volume, "spec.claimRef") == null
                ? ""
                : text(volume, "spec.claimRef.namespace") + "/" + text(volume, "spec.claimRef.name");
    }

    private static Columns claims() {
        return ColumnTable.named()
                .text("Status", OtherColumns::phase)
                .text("Volume", value("spec.volumeName"))
                .text("Capacity", object -> bound(object) ? text(object, "status.capacity.storage") : "")
                .text("Access Modes", object -> bound(object) ? modes(object, "status.accessModes") : "")
                .text("StorageClass", value("spec.storageClassName"))
                .text("VolumeAttributesClass", valueOr("spec.volumeAttributesClassName", Cells.UNSET))
                .age()
                .wide()
                .text("VolumeMode", valueOr("spec.volumeMode", Cells.UNSET));
    }

    private static boolean bound(ObjectNode claim) {
        return !text(claim, "spec.volumeName").isEmpty();
    }

    private static Columns storageClasses() {
        return ColumnTable.named()
                .text("Provisioner", value("provisioner"))
                .text("ReclaimPolicy", valueOr("reclaimPolicy", "Delete"))
                .text("VolumeBindingMode", valueOr("volumeBindingMode", "Immediate"))
                .text("AllowVolumeExpansion", object -> Boolean.toString(flag(object, "allowVolumeExpansion")))
                .age();
    }

    private static Columns bindings() {
        return ColumnTable.named()
                .text("Role", object -> text(object, "roleRef.kind") + "/" + text(object, "roleRef.name"))
                .age()
                .wide()
                .text("Users", object -> subjects(object, "User"))
                .text("Groups", object -> subjects(object, "Group"))
                .text("ServiceAccounts", object -> subjects(object, "ServiceAccount"));
    }

    private static String subjects(ObjectNode binding, String kind) {
        return items(binding, "subjects").stream()
                .filter(subject -> text(subject, "kind").equals(kind))
                .map(subject -> kind.equals("ServiceAccount")
                        ? text(subject, "namespace") + "/" + text(subject, "name")
                        : text(subject, "name"))
                .collect(Collectors.joining(", "));
    }

    private static Columns budgets() {
        return ColumnTable.named()
                .text("Min Available", valueOr("spec.minAvailable", "N/A"))
                .text("Max Unavailable", valueOr("spec.maxUnavailable", "N/A"))
                .number("Allowed Disruptions", object -> number(object, "status.disruptionsAllowed"))
                .age();
    }

    private static Columns autoscalers() {
        return ColumnTable.named()
                .text(
                        "Reference",
                        object -> text(object, "spec.scaleTargetRef.kind") + "/"
                                + text(object, "spec.scaleTargetRef.name"))
                .text("Targets", ScalingTargets::text)
                .text("MinPods", valueOr("spec.minReplicas", Cells.UNSET))
                .text("MaxPods", valueOr("spec.maxReplicas", "0"))
                .text("Replicas", valueOr("status.currentReplicas", "0"))
                .age();
    }

    private static Columns quotas() {
        return ColumnTable.named()
                .text("Request", object -> quota(object, false))
                .text("Limit", object -> quota(object, true))
                .age();
    }

    private static String quota(ObjectNode quota, boolean limits) {
        Map<String, String> used = Json.stringMap(quota, "status", "used");
        return Json.stringMap(quota, "status", "hard").entrySet().stream()
                .filter(hard -> hard.getKey().startsWith("limits.") == limits)
                .map(hard -> hard.getKey() + ": " + used.getOrDefault(hard.getKey(), "0") + "/" + hard.getValue())
                .collect(Collectors.joining(", "));
    }

    private static Columns priorities() {
        return ColumnTable.named()
                .number("Value", object -> number(object, "value"))
                .flag("Global-Default", object -> flag(object, "globalDefault"))
                .age()
                .text("PreemptionPolicy", value("preemptionPolicy"));
    }
}
