package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;

/** The types of the functions. */
final class Types {
    static final CelType URL = OpaqueType.create("kubernetes.URL");
    static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");
    static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
    static final CelType IP = OpaqueType.create("net.IP");
    static final CelType CIDR = OpaqueType.create("net.CIDR");
    static final CelType TEXTS = ListType.create(SimpleType.STRING);

    private static final Map<CelType, Class<?>> CLASSES = Map.of(
            URL,
            WebAddress.class,
            QUANTITY,
            Quantity.class,
            SEMVER,
            Semver.class,
            FORMAT,
            NamedFormat.class,
            IP,
            IpAddress.class,
            CIDR,
            Cidr.class);

    private Types() {}

    /** The class of the values of a type. */
    static Class<?> javaClass(CelType type) {
        Class<?> own = CLASSES.get(type);
        if (own != null) {
            return own;
        }
        return switch (type.kind()) {
            case STRING -> String.class;
            case INT -> Long.class;
            case BOOL -> Boolean.class;
            case LIST -> List.class;
            default -> Object.class;
        };
    }
}
