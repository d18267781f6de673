package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointHintsBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.ForZone;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides the ready endpoints of a Service among zones, in proportion to their processors. Endpoints are for their own
 * zone; zones with too many lend some to zones with too few.
 */
final class ZoneAllocation {

    /** By which part an endpoint may get more traffic than it would without hints. */
    private static final double MAX_OVERLOAD = 0.2;

    /** How many endpoints a zone should have. */
    record Quota(int minimum, int maximum, double desired) {}

    private final Map<String, Double> shares;
    private final SliceChanges changes;
    private final Collection<EndpointSlice> existing;
    private final Map<String, Integer> hinted = new TreeMap<>();

    ZoneAllocation(Map<String, Double> shares, SliceChanges changes, Collection<EndpointSlice> existing) {
        this.shares = shares;
        this.changes = changes;
        this.existing = existing;
    }

    /** The number of endpoints per zone after {@link #apply}. */
    Map<String, Integer> hinted() {
        return hinted;
    }

    /** Set hints; return why it is not possible, an empty text if it is. */
    String apply() {
        List<EndpointSlice> unchanged = changes.unchanged(existing);
        int endpoints = ready(changes.create) + ready(changes.update) + ready(unchanged);
        Map<String, Quota> quotas = new TreeMap<>();
        String problem = computeQuotas(shares, endpoints, quotas);
        if (!problem.isEmpty()) {
            return problem;
        }
        keepValidHints(unchanged, quotas);
        List<EndpointSlice> written = new ArrayList<>(changes.create);
        written.addAll(changes.update);
        for (EndpointSlice slice : written) {
            for (Endpoint endpoint : slice.getEndpoints()) {
                if (SliceEndpoints.isReady(endpoint)) {
                    String zone = endpoint.getZone();
                    if (zone == null || zone.isEmpty()) {
                        return "One or more endpoints do not have a zone specified";
                    }
                    hinted.merge(zone, 1, Integer::sum);
                    setHint(endpoint, zone);
                }
            }
        }
        Map<String, Integer> giving = new TreeMap<>();
        Map<String, Integer> receiving = new TreeMap<>();
        balance(quotas, hinted, giving, receiving);
        redistribute(written, giving, receiving).forEach((zone, change) -> hinted.merge(zone, change, Integer::sum));
        return hinted.isEmpty() ? "No hints allocated for zones" : "";
    }

    private static int ready(Collection<EndpointSlice> slices) {
        return slices.stream()
                .mapToInt(slice -> (int) slice.getEndpoints().stream()
                        .filter(SliceEndpoints::isReady)
                        .count())
                .sum();
    }

    static String computeQuotas(Map<String, Double> shares, int endpoints, Map<String, Quota> quotas) {
        String numbers = " (" + endpoints + " endpoints, " + shares.size() + " zones)";
        if (shares.isEmpty()) {
            return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
        }
        if (shares.size() > endpoints) {
            return "Insufficient number of endpoints" + numbers;
        }
        int minimums = 0;
        for (Map.Entry<String, Double> zone : shares.entrySet()) {
            minimums += minimum(zone.getValue() * endpoints);
        }
        if (minimums > endpoints) {
            return "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold"
                    + numbers;
        }
        int rest = endpoints - minimums;
        shares.forEach((zone, share) -> {
            int minimum = minimum(share * endpoints);
            quotas.put(zone, new Quota(minimum, minimum + rest, Math.max(share * endpoints, minimum)));
        });
        return "";
    }

    private static int minimum(double desired) {
        return (int) Math.ceil(desired * (1 / (1 + MAX_OVERLOAD)));
    }

    /** Leaves slices alone whose hints are still right, and has the others written. */
    private void keepValidHints(List<EndpointSlice> unchanged, Map<String, Quota> quotas) {
        for (EndpointSlice slice : unchanged) {
            Map<String, Integer> zones = validHints(slice, hinted, quotas);
            if (zones == null) {
                changes.update.add(slice);
            } else {
                zones.forEach((zone, count) -> hinted.merge(zone, count, Integer::sum));
            }
        }
    }

    /** The hints in a slice by zone; {@code null} if one is missing, for an unknown zone, or too much for a zone. */
    static @Nullable Map<String, Integer> validHints(
            EndpointSlice slice, Map<String, Integer> hinted, Map<String, Quota> quotas) {
        Map<String, Integer> zones = new TreeMap<>();
        for (Endpoint endpoint : slice.getEndpoints()) {
            if (!SliceEndpoints.isReady(endpoint)) {
                continue;
            }
            if (endpoint.getHints() == null || endpoint.getHints().getForZones().isEmpty()) {
                return null;
            }
            endpoint.getHints().getForZones().forEach(zone -> zones.merge(zone.getName(), 1, Integer::sum));
        }
        for (Map.Entry<String, Integer> zone : zones.entrySet()) {
            Quota quota = quotas.get(zone.getKey());
            if (quota == null || zone.getValue() + hinted.getOrDefault(zone.getKey(), 0) > quota.maximum()) {
                return null;
            }
        }
        return zones;
    }

    /** Works out how many endpoints zones give to others, and how many zones get from others. */
    static void balance(
            Map<String, Quota> quotas,
            Map<String, Integer> hinted,
            Map<String, Integer> giving,
            Map<String, Integer> receiving) {
        Map<String, Double> tooMany = new TreeMap<>();
        Map<String, Double> tooFew = new TreeMap<>();
        quotas.forEach((zone, quota) -> {
            double surplus = hinted.getOrDefault(zone, 0) - quota.desired();
            if (surplus > 0) {
                tooMany.put(zone, surplus);
            } else if (surplus < 0) {
                tooFew.put(zone, -surplus);
            }
        });
        while (true) {
            Map.Entry<String, Double> giver = largest(tooMany);
            Map.Entry<String, Double> receiver = largest(tooFew);
            if (giver == null
                    || receiver == null
                    || (giver.getValue() < 1 && receiver.getValue() < 1)
                    || giver.getValue() < 0.5
                    || receiver.getValue() < 0.5) {
                return;
            }
            giving.merge(giver.getKey(), 1, Integer::sum);
            receiving.merge(receiver.getKey(), 1, Integer::sum);
            giver.setValue(giver.getValue() - 1);
            receiver.setValue(receiver.getValue() - 1);
        }
    }

    private static Map.@Nullable Entry<String, Double> largest(Map<String, Double> zones) {
        return zones.entrySet().stream()
                .filter(zone -> zone.getValue() > 0)
                .max(Map.Entry.comparingByValue())
                .orElse(null);
    }

    /** Hint endpoints of zones that give at zones that receive; return by how much that changes each zone. */
    static Map<String, Integer> redistribute(
            List<EndpointSlice> slices, Map<String, Integer> giving, Map<String, Integer> receiving) {
        Map<String, Integer> moved = new TreeMap<>();
        for (EndpointSlice slice : slices) {
            for (Endpoint endpoint : slice.getEndpoints()) {
                String from = endpoint.getZone();
                if (SliceEndpoints.isReady(endpoint)
                        && from != null
                        && giving.getOrDefault(from, 0) > 0
                        && !receiving.isEmpty()) {
                    String to = receiving.keySet().iterator().next();
                    setHint(endpoint, to);
                    giving.merge(from, -1, Integer::sum);
                    receiving.computeIfPresent(to, (zone, count) -> count == 1 ? null : count - 1);
                    moved.merge(from, -1, Integer::sum);
                    moved.merge(to, 1, Integer::sum);
                }
            }
        }
        return moved;
    }

    private static void setHint(Endpoint endpoint, String zone) {
        endpoint.setHints(
                new EndpointHintsBuilder().withForZones(new ForZone(zone)).build());
    }

    /** Return whether some zone has fewer endpoints than its minimum. */
    static boolean isOverloaded(Map<String, Integer> zones, Map<String, Double> shares) {
        if (zones.isEmpty() || shares.isEmpty()) {
            return !zones.isEmpty();
        }
        int endpoints = zones.values().stream().mapToInt(Integer::intValue).sum();
        return shares.entrySet().stream()
                .anyMatch(zone -> zones.getOrDefault(zone.getKey(), -1) < minimum(endpoints * zone.getValue()));
    }
}
