package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.net.InetAddresses;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Rules of {@code field-rules.tsv} between the fields of a struct, or about the items of a list. Stateless. */
final class RelationRules {
    static final Set<String> FORMS = Set.of(
            "either",
            "any",
            "single",
            "some",
            "sources",
            "union",
            "at-most",
            "end-port",
            "peers",
            "block",
            "expression");

    private RelationRules() {}

    static void check(String form, String detail, JsonNode holder, JsonNode value, String path, FieldErrors errors) {
        List<String> fields = Arrays.asList(detail.split(","));
        long given = fields.stream().filter(value::has).count();
        switch (form) {
            case "either", "any" -> {
                if (given == 0) {
                    errors.required(path + "." + fields.get(0), "must set one of " + detail);
                } else if (given > 1 && form.equals("either")) {
                    errors.forbidden(path + "." + fields.get(1), "may not set more than one of " + detail);
                }
            }
            case "single" -> {
                if (value.size() > 1) {
                    errors.invalid(path, "", "may not have more than one field specified at a time");
                }
            }
            case "some" -> {
                if (value.isObject() && value.isEmpty()) {
                    errors.required(path, "must specify a handler type");
                }
            }
            case "sources" ->
                value.forEach(item -> {
                    if (fields.stream().filter(item::has).count() != 1) {
                        errors.invalid(path, "", "must specify exactly one of " + detail);
                    }
                });
            case "at-most" -> {
                if (value.size() > Integer.parseInt(detail)) {
                    errors.invalid(path, value, "may not specify more than " + detail + " items");
                }
            }
            case "union" -> union(fields, holder, value, path, errors);
            case "end-port" -> endPort(holder.path("port"), value, path, errors);
            case "peers" -> peers(value, path, errors);
            case "block" -> block(holder, path, errors);
            case "expression" -> expression(holder, path, errors);
            default -> throw new IllegalStateException("'" + form + "' is not a form of a rule");
        }
    }

    /** A struct whose type names the one field that has to be set. */
    private static void union(List<String> types, JsonNode holder, JsonNode type, String path, FieldErrors errors) {
        if (!types.contains(type.asText())) {
            errors.notSupported(path, type, types);
            return;
        }
        for (String each : types) {
            String field = each.substring(0, 1).toLowerCase(Locale.ROOT) + each.substring(1);
            String at = path.substring(0, path.lastIndexOf('.') + 1) + field;
            if (each.equals(type.asText()) && !holder.has(field)) {
                errors.required(at, "must populate information for the given type");
            } else if (!each.equals(type.asText()) && holder.has(field)) {
                errors.forbidden(at, "must populate the given type only");
            }
        }
    }

    private static void endPort(JsonNode port, JsonNode end, String path, FieldErrors errors) {
        if (FieldErrors.isSet(end) && (!port.isNumber() || end.asLong() < port.asLong())) {
            errors.invalid(path, end, "must be greater than or equal to a numeric `port`");
        }
    }

    private static void peers(JsonNode peers, String path, FieldErrors errors) {
        for (int i = 0; i < peers.size(); i++) {
            if (peers.path(i).isEmpty()) {
                errors.required(path + "[" + i + "]", "must specify a peer");
            } else if (peers.path(i).has("ipBlock") && peers.path(i).size() > 1) {
                errors.forbidden(path + "[" + i + "]", "may not specify both ipBlock and another peer");
            }
        }
    }

    private static void block(JsonNode holder, String path, FieldErrors errors) {
        String cidr = holder.path("cidr").asText();
        boolean isBlock = prefix(cidr) >= 0;
        if (!cidr.isEmpty() && !isBlock) {
            errors.invalid(path, cidr, "must be a valid CIDR value");
        }
        for (int i = 0; i < holder.path("except").size() && isBlock; i++) {
            String except = holder.path("except").path(i).asText();
            boolean isPart =
                    prefix(except) > prefix(cidr) && bits(except, prefix(cidr)).equals(bits(cidr, prefix(cidr)));
            if (!isPart) {
                String at = path.substring(0, path.lastIndexOf('.')) + ".except[" + i + "]";
                errors.invalid(at, except, "must be a strict subset of `cidr`");
            }
        }
    }

    /** Return the length of the prefix of a block of addresses, or -1 if it is no block. */
    private static int prefix(String cidr) {
        String[] parts = cidr.split("/", -1);
        boolean isBlock = parts.length == 2 && InetAddresses.isInetAddress(parts[0]) && parts[1].matches("\\d{1,3}");
        int length = isBlock ? Integer.parseInt(parts[1]) : -1;
        return isBlock && length <= size(parts[0]) ? length : -1;
    }

    private static int size(String address) {
        return InetAddresses.forString(address).getAddress().length * Byte.SIZE;
    }

    private static String bits(String cidr, int length) {
        String address = cidr.split("/")[0];
        BigInteger bits = new BigInteger(1, InetAddresses.forString(address).getAddress());
        return size(address) + ":" + bits.shiftRight(size(address) - Math.min(length, size(address)));
    }

    /** An expression that selects nodes. */
    private static void expression(JsonNode holder, String path, FieldErrors errors) {
        String at = path.substring(0, path.lastIndexOf('.') + 1) + "values";
        int values = holder.path("values").size();
        switch (holder.path("operator").asText()) {
            case "In", "NotIn" -> {
                if (values == 0) {
                    errors.required(at, "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Gt", "Lt" -> {
                if (values != 1) {
                    errors.required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (values > 0) {
                    errors.forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> errors.invalid(path, holder.path("operator"), "not a valid selector operator");
        }
    }
}
