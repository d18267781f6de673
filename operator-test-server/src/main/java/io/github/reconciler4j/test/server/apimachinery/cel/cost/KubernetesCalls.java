package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.Call.Cost;
import org.jspecify.annotations.Nullable;

/** The estimated cost of the functions that Kubernetes adds, and of those it reckons otherwise. Immutable. */
final class KubernetesCalls {
    private static final Range ADDRESS = new Range(4, 16);
    private static final int FORMAT_NAME = 64;

    private final Sizes sizes;

    KubernetesCalls(Sizes sizes) {
        this.sizes = sizes;
    }

    /** The cost of a call; null for functions that are reckoned like all others. */
    @Nullable
    Cost cost(Call call) {
        return switch (call.function()) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
                call.target() == null ? null : search(call.target());
            case "url" -> scan(call.argument(0), 1);
            case "lowerAscii", "upperAscii", "substring", "trim" ->
                call.target() == null ? null : scan(call.target(), 1);
            case "replace", "split", "join", "find", "findAll" ->
                call.target() == null ? null : new TextCalls(sizes).cost(call, call.target());
            case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" -> read(call.argument(0), 1);
            case "ip" -> call.overload().equals("cidr_ip") ? Cost.of(1) : read(call.argument(0), 1);
            case "ip.isCanonical" -> read(call.argument(0), 2);
            case "containsIP" -> inRange(call, "cidr_contains_ip_string", false);
            case "containsCIDR" -> inRange(call, "cidr_contains_cidr_string", true);
            case "validate" ->
                Cost.of(sizes.of(call.argument(0))
                        .times(Units.TRAVERSAL)
                        .times(Units.FORMAT_EXPRESSION * Units.EXPRESSION));
            case "_==_" -> equality(call);
            default -> isNominal(call.function()) ? Cost.of(1) : null;
        };
    }

    private static boolean isNominal(String function) {
        return switch (function) {
            case "masked",
                    "prefixLength",
                    "family",
                    "isUnspecified",
                    "isLoopback",
                    "isLinkLocalMulticast",
                    "isLinkLocalUnicast",
                    "isGlobalUnicast",
                    "format.named",
                    "sign",
                    "asInteger",
                    "isInteger",
                    "asApproximateFloat",
                    "isGreaterThan",
                    "isLessThan",
                    "compareTo",
                    "add",
                    "sub",
                    "major",
                    "minor",
                    "patch",
                    "getScheme",
                    "getHostname",
                    "getHost",
                    "getPort",
                    "getEscapedPath",
                    "getQuery" -> true;
            default -> false;
        };
    }

    /** Each item is compared once, its text too if it has one. */
    private Cost search(Node list) {
        Node items = Sizes.items(list);
        if (items == null) {
            return Cost.of(sizes.of(list).times(Units.TRAVERSAL));
        }
        Range each = Range.ONE;
        if (Sizes.isText(items.type())) {
            each = each.plus(sizes.of(items).times(Units.TRAVERSAL));
        }
        return Cost.of(sizes.of(list).times(each));
    }

    private Cost scan(Node text, int times) {
        Range size = sizes.of(text);
        return new Cost(size.times(times * Units.TRAVERSAL), size);
    }

    private Cost read(Node text, int times) {
        return Cost.of(sizes.of(text).times(times * Units.TRAVERSAL));
    }

    private Cost inRange(Call call, String textual, boolean masks) {
        Range cost = ADDRESS.plus(ADDRESS).times(Units.TRAVERSAL);
        if (masks) {
            cost = cost.plus(ADDRESS.times(Units.TRAVERSAL)).plus(Range.ONE);
        }
        return Cost.of(
                call.overload().equals(textual)
                        ? cost.plus(sizes.of(call.argument(0)).times(Units.TRAVERSAL))
                        : cost);
    }

    private static @Nullable Cost equality(Call call) {
        CelType type = call.argument(0).type();
        if (type.kind() != CelKind.OPAQUE || !type.equals(call.argument(1).type())) {
            return null;
        }
        return switch (type.name()) {
            case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver" -> Cost.of(1);
            case "kubernetes.NamedFormat" -> Cost.of(new Range(1, FORMAT_NAME).times(Units.TRAVERSAL));
            case "kubernetes.URL" -> {
                Range size = call.argument(1).size();
                long longest = size == null ? 1 : size.max();
                yield Cost.of(new Range(1, longest).times(Units.TRAVERSAL));
            }
            default -> null;
        };
    }
}
