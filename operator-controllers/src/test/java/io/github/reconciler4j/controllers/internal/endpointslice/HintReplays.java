package io.github.reconciler4j.controllers.internal.endpointslice;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;

/** Repeats the cases of Kubernetes' tests of hints: traffic distribution and topology. */
final class HintReplays {

    private static final String TOPOLOGY = "endpointslice/topologycache.";

    private HintReplays() {}

    static void addTo(Replays replays) {
        hints(replays);
        topology(replays);
    }

    private static void hints(Replays replays) {
        replays.replay("endpointslice/trafficdist.ReconcileHints", call -> {
            SliceChanges changes = new SliceChanges();
            changes.create.addAll(call.list("slicesToCreate", EndpointSlice.class));
            changes.update.addAll(call.list("slicesToUpdate", EndpointSlice.class));
            List<EndpointSlice> unchanged = call.list("slicesUnchanged", EndpointSlice.class);
            giveNames(changes.create, "created");
            giveNames(changes.update, "updated");
            giveNames(unchanged, "unchanged");
            TrafficHints.apply(call.in("trafficDistribution", String.class), changes, unchanged);
            assertThat(hints(changes.create)).isEqualTo(hints(call.outList(0, EndpointSlice.class)));
            assertThat(hints(changes.update)).isEqualTo(hints(call.outList(1, EndpointSlice.class)));
        });
    }

    private static void giveNames(List<EndpointSlice> slices, String prefix) {
        for (int i = 0; i < slices.size(); i++) {
            slices.get(i).getMetadata().setName(prefix + i);
        }
    }

    private static List<JsonNode> hints(List<EndpointSlice> slices) {
        return slices.stream().map(slice -> json(slice.getEndpoints())).toList();
    }

    private static void topology(Replays replays) {
        replays.replay(TOPOLOGY + "TopologyCache.SetNodes", call -> {
            Map<String, Double> shares = TopologyHints.shares(call.list("nodes", Node.class));
            Map<String, Double> expected = UpstreamCase.readMap(call.note("cpuRatiosByZoneAfter"), Double.class);
            assertThat(shares.keySet()).isEqualTo(expected.keySet());
            shares.forEach((zone, share) -> assertThat(share).isCloseTo(expected.get(zone), Offset.offset(1e-9)));
        });
        replays.replay(TOPOLOGY + "TopologyCache.AddHints", HintReplays::replayHints);
        replays.replay(TOPOLOGY + "getGivingAndReceivingZones", call -> {
            Map<String, Integer> giving = new TreeMap<>();
            Map<String, Integer> receiving = new TreeMap<>();
            ZoneAllocation.balance(
                    quotas(call),
                    UpstreamCase.readMap(call.in("allocatedHintsByZone"), Integer.class),
                    giving,
                    receiving);
            assertThat(giving).isEqualTo(UpstreamCase.readMap(call.out(0), Integer.class));
            assertThat(receiving).isEqualTo(UpstreamCase.readMap(call.out(1), Integer.class));
        });
        replays.replay(TOPOLOGY + "getHintsByZone", call -> {
            Map<String, Integer> hints = ZoneAllocation.validHints(
                    call.in("slice", EndpointSlice.class),
                    UpstreamCase.readMap(call.in("allocatedHintsByZone"), Integer.class),
                    quotas(call));
            assertThat(hints).isEqualTo(call.out(0).isNull() ? null : UpstreamCase.readMap(call.out(0), Integer.class));
        });
        replays.replay(TOPOLOGY + "redistributeHints", call -> {
            Map<String, Integer> moved = ZoneAllocation.redistribute(
                    call.list("slices", EndpointSlice.class),
                    UpstreamCase.readMap(call.in("givingZones"), Integer.class),
                    UpstreamCase.readMap(call.in("receivingZones"), Integer.class));
            assertThat(moved).isEqualTo(UpstreamCase.readMap(call.out(0), Integer.class));
        });
        replays.replay(
                TOPOLOGY + "serviceOverloaded",
                call -> assertThat(ZoneAllocation.isOverloaded(
                                UpstreamCase.readMap(call.in("ezi"), Integer.class),
                                UpstreamCase.readMap(call.in("zoneRatios"), Double.class)))
                        .isEqualTo(call.out(0).asBoolean()));
    }

    private static void replayHints(UpstreamCase call) {
        JsonNode info = call.in("si");
        SliceChanges changes = new SliceChanges();
        changes.create.addAll(UpstreamCase.readList(info.get("ToCreate"), EndpointSlice.class));
        changes.update.addAll(UpstreamCase.readList(info.get("ToUpdate"), EndpointSlice.class));
        List<EndpointSlice> unchanged = UpstreamCase.readList(info.get("Unchanged"), EndpointSlice.class);
        giveNames(changes.create, "created");
        giveNames(changes.update, "updated");
        giveNames(unchanged, "unchanged");
        TopologyHints.Outcome outcome = new TopologyHints(List::of)
                .apply(
                        UpstreamCase.readMap(call.note("cpuRatiosByZone"), Double.class),
                        info.get("ServiceKey").asText(),
                        info.get("AddressType").asText(),
                        changes,
                        unchanged);
        assertThat(zones(changes.create)).isEqualTo(zones(call.outList(0, EndpointSlice.class)));
        assertThat(zones(changes.update)).isEqualTo(zones(call.outList(1, EndpointSlice.class)));
        List<String> events = new ArrayList<>();
        call.out(2).forEach(event -> events.add(event.get("Message").asText()));
        assertThat(List.of(outcome.event())).isEqualTo(events.isEmpty() ? List.of("") : events);
    }

    /** How many endpoints are hinted at each zone. */
    static Map<String, Long> zones(List<EndpointSlice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.getEndpoints().stream())
                .collect(Collectors.groupingBy(
                        endpoint -> String.valueOf(endpoint.getHints()), TreeMap::new, Collectors.counting()));
    }

    private static Map<String, ZoneAllocation.Quota> quotas(UpstreamCase call) {
        Map<String, ZoneAllocation.Quota> quotas = new TreeMap<>();
        call.in("allocations")
                .properties()
                .forEach(zone -> quotas.put(
                        zone.getKey(),
                        new ZoneAllocation.Quota(
                                zone.getValue().get("minimum").asInt(),
                                zone.getValue().get("maximum").asInt(),
                                zone.getValue().get("desired").asDouble())));
        return quotas;
    }
}
