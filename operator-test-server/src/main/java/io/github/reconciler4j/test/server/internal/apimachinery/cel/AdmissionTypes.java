package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The types that expressions of admission see. Filled by one thread, then only read. */
@SuppressWarnings("Immutable") // the types are complete before the first expression is compiled
final class AdmissionTypes implements CelTypeProvider {
    private static final CelType STRINGS = MapType.create(SimpleType.STRING, SimpleType.STRING);
    private static final CelType LIST = ListType.create(SimpleType.STRING);

    private final Map<String, StructType> structs = new HashMap<>();
    final CelType request;
    final CelType namespace;

    AdmissionTypes() {
        CelType kind = struct("kubernetes.GroupVersionKind", texts("group", "version", "kind"));
        CelType resource = struct("kubernetes.GroupVersionResource", texts("group", "version", "resource"));
        CelType user = struct(
                "kubernetes.UserInfo",
                Map.of(
                        "username",
                        SimpleType.STRING,
                        "uid",
                        SimpleType.STRING,
                        "groups",
                        LIST,
                        "extra",
                        MapType.create(SimpleType.STRING, LIST)));
        Map<String, CelType> fields =
                new HashMap<>(texts("subResource", "requestSubResource", "name", "namespace", "operation"));
        fields.put("kind", kind);
        fields.put("resource", resource);
        fields.put("requestKind", kind);
        fields.put("requestResource", resource);
        fields.put("userInfo", user);
        fields.put("dryRun", SimpleType.BOOL);
        fields.put("options", SimpleType.DYN);
        request = struct("kubernetes.AdmissionRequest", fields);
        namespace = namespace();
    }

    private CelType namespace() {
        CelType condition = struct(
                "kubernetes.NamespaceCondition",
                with(texts("status", "type", "message", "reason"), "lastTransitionTime", SimpleType.TIMESTAMP));
        Map<String, CelType> metadata = texts("name", "generateName", "namespace", "UID", "resourceVersion");
        metadata.put("labels", STRINGS);
        metadata.put("annotations", STRINGS);
        metadata.put("creationTimestamp", SimpleType.TIMESTAMP);
        metadata.put("deletionTimestamp", SimpleType.TIMESTAMP);
        metadata.put("deletionGracePeriodSeconds", SimpleType.INT);
        metadata.put("generation", SimpleType.INT);
        metadata.put("finalizers", LIST);
        CelType status =
                struct("kubernetes.NamespaceStatus", with(texts("phase"), "conditions", ListType.create(condition)));
        return struct(
                "kubernetes.Namespace",
                Map.of(
                        "metadata",
                        struct("kubernetes.NamespaceMetadata", metadata),
                        "spec",
                        struct("kubernetes.NamespaceSpec", Map.of("finalizers", LIST)),
                        "status",
                        status));
    }

    private static Map<String, CelType> texts(String... names) {
        Map<String, CelType> fields = new HashMap<>();
        for (String name : names) {
            fields.put(name, SimpleType.STRING);
        }
        return fields;
    }

    private static Map<String, CelType> with(Map<String, CelType> fields, String name, CelType type) {
        fields.put(name, type);
        return fields;
    }

    /** Return the type of {@code variables}. */
    CelType variables(Map<String, CelType> types) {
        return struct("kubernetes.variables", types);
    }

    private CelType struct(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> copy = ImmutableMap.copyOf(fields);
        structs.put(
                name,
                StructType.create(
                        name, ImmutableSet.copyOf(copy.keySet()), field -> Optional.ofNullable(copy.get(field))));
        return StructTypeReference.create(name);
    }

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.copyOf(structs.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(structs.get(name));
    }
}
