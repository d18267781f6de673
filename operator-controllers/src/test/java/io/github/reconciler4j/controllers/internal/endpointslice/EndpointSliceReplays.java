package io.github.reconciler4j.controllers.internal.endpointslice;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of its EndpointSlice controller. */
public final class EndpointSliceReplays {

    private static final String NO_ADDRESS = "pods with addresses such as 1.2.3.256, which Go prints as '<nil>'";

    private EndpointSliceReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        endpoints(replays);
        slices(replays);
        comparisons(replays);
        reconciliations(replays);
        HintReplays.addTo(replays);
        return replays;
    }

    private static void endpoints(Replays replays) {
        replays.replay(
                "endpointslice.podToEndpoint",
                call -> assertThat(json(SliceEndpoints.endpoint(
                                call.in("pod", Pod.class),
                                zone(call.in("node", Node.class)),
                                call.in("service", Service.class),
                                call.in("addressType").asText())))
                        .isEqualTo(json(call.out(0, Endpoint.class))));
        replays.replay(
                "endpointslice.getEndpointPorts",
                call -> assertThat(SliceEndpoints.ports(call.in("service", Service.class), call.in("pod", Pod.class)))
                        .isEqualTo(SliceEndpoints.sorted(call.outList(0, EndpointPort.class))));
        replays.replay("endpointslice.getEndpointAddresses", call -> {
            Pod pod = new PodBuilder()
                    .withStatus(call.in("podStatus", PodStatus.class))
                    .build();
            assertThat(ServicePods.addresses(
                            pod, call.in("addressType").asText().equals("IPv6")))
                    .isEqualTo(call.outList(0, String.class));
        });
        replays.replay(
                "endpointslice/util.EndpointsEqualBeyondHash",
                call -> assertThat(
                                SliceEndpoints.areEqual(call.in("ep1", Endpoint.class), call.in("ep2", Endpoint.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay("endpointslice.hintsEnabled", call -> {
            Service service = new Service();
            service.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
            service.getMetadata().setAnnotations(UpstreamCase.readMap(call.in("annotations"), String.class));
            assertThat(SliceEndpoints.wantsTopologyHints(service))
                    .isEqualTo(call.out(0).asBoolean());
        });
    }

    private static void slices(Replays replays) {
        replays.replay("endpointslice.newEndpointSlice", call -> {
            JsonNode meta = call.in("endpointMeta");
            EndpointSlice slice = Slices.empty(
                    service(call),
                    UpstreamCase.readList(meta.get("ports"), EndpointPort.class),
                    meta.get("addressType").asText());
            EndpointSlice expected = call.out(0, EndpointSlice.class);
            expected.getMetadata().getLabels().put(Slices.MANAGED_BY, Slices.CONTROLLER);
            giveOwnerUid(expected);
            assertThat(json(slice)).isEqualTo(json(expected));
        });
        replays.replay("endpointslice.setEndpointSliceLabels", call -> {
            Service service = call.in("service", Service.class);
            Map<String, String> expected = UpstreamCase.readMap(call.out(0), String.class);
            expected.put(Slices.MANAGED_BY, Slices.CONTROLLER);
            assertThat(Slices.labels(service)).isEqualTo(expected);
            assertThat(Slices.hasLabelsOf(call.in("epSlice", EndpointSlice.class), service))
                    .isEqualTo(!call.out(1).asBoolean());
        });
        replays.replay(
                "endpointslice.getAddressTypesForService",
                call -> assertThat(Slices.addressTypes(call.in("service", Service.class)))
                        .containsExactlyInAnyOrderElementsOf(call.outList(0, String.class)));
        replays.replay("endpointslice.ServiceControllerKey", call -> {
            EndpointSlice slice = call.in("endpointSlice", EndpointSlice.class);
            assertThat(Slices.serviceName(Slices.copy(slice.getMetadata().getLabels()))
                            .map(name -> slice.getMetadata().getNamespace() + "/" + name)
                            .orElse(""))
                    .isEqualTo(call.out(0).asText());
        });
        replays.except(
                "endpointslice.ServiceControllerKey",
                call -> call.in("endpointSlice").isNull(),
                "no slice at all");
    }

    private static void comparisons(Replays replays) {
        replays.replay(
                "endpointslice.ownedBy",
                call -> assertThat(Slices.isOwnedBy(
                                call.in("endpointSlice", EndpointSlice.class), call.in("svc", Service.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "endpointslice.getSliceToFill",
                call -> assertThat(name(SlicePlacement.fullestWithRoom(
                                call.list("endpointSlices", EndpointSlice.class),
                                call.number("numEndpoints"),
                                call.number("maxEndpoints"))))
                        .isEqualTo(name(call.out(0, EndpointSlice.class))));
        replays.replay(
                "endpointslice.placeholderSliceCompare",
                call -> assertThat(Slices.areEqualPlaceholders(
                                call.in("x", EndpointSlice.class), call.in("y", EndpointSlice.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.except(
                "endpointslice.placeholderSliceCompare",
                call -> call.in("x").isNull()
                        || call.in("y").isNull()
                        || call.test().contains("kind"),
                "no slice at all; objects of a class have the kind of that class");
    }

    private static void reconciliations(Replays replays) {
        replays.replay("endpointslice.Reconciler.Reconcile", EndpointSliceReplays::replayReconciliation);
        replays.except(
                "endpointslice.Reconciler.Reconcile",
                call -> call.toString().contains("<nil>")
                        || (!call.out(0).isNull() && !call.out(0).asText().contains("Node"))
                        || call.test().contains("topologyCache_disabled")
                        || call.test().contains("PSTD_disabled"),
                NO_ADDRESS + "; failed requests need a client; features are off that every server has today");
        replays.except("endpointslice.podToEndpoint", call -> call.toString().contains("<nil>"), NO_ADDRESS);
        replays.except(
                "endpointslice.getEndpointAddresses", call -> call.toString().contains("<nil>"), NO_ADDRESS);
        replays.replay("endpointslice.Reconciler.finalize", call -> {
            Service service = service(call);
            SliceChanges changes = new SliceChanges();
            changes.create.addAll(call.list("slicesToCreate", EndpointSlice.class));
            changes.update.addAll(call.list("slicesToUpdate", EndpointSlice.class));
            changes.delete.addAll(call.list("slicesToDelete", EndpointSlice.class));
            changes.delete.forEach(EndpointSliceReplays::giveOwnerUid);
            changes.reuseDeleted(service);
            changes.annotate(Times.parse(call.in("triggerTime").asText(null)));
            assertWritten(changes, service, call);
        });
        replays.except(
                "endpointslice.Reconciler.finalize",
                call -> !call.out(0).isNull(),
                "what follows a failed request needs a client");
    }

    private static void replayReconciliation(UpstreamCase call) {
        Service service = service(call);
        List<EndpointSlice> existing = call.list("existingSlices", EndpointSlice.class);
        existing.forEach(EndpointSliceReplays::giveOwnerUid);
        List<Node> nodes = call.notes("nodes", Node.class);
        SlicePlan plan = SlicePlan.of(
                service,
                call.list("pods", Pod.class),
                existing,
                name -> nodes.stream()
                        .filter(node -> node.getMetadata().getName().equals(name))
                        .findFirst()
                        .map(EndpointSliceReplays::zone)
                        .orElse(null),
                new TopologyHints(
                        () -> call.note("topologyCache").path("cpuRatiosByZone").isEmpty() ? List.of() : nodes),
                call.note("maxEndpointsPerSlice").asInt(),
                Times.parse(call.in("triggerTime").asText(null)));
        assertThat(plan.missingNodes().isEmpty()).isEqualTo(call.out(0).isNull());
        assertWritten(plan.changes(), service, call);
    }

    /** The Services of some cases have no uid, so that they cannot own anything in our world. */
    private static Service service(UpstreamCase call) {
        Service service = call.in("service", Service.class);
        if (service.getMetadata().getUid() == null) {
            service.getMetadata().setUid("none");
        }
        return service;
    }

    private static @Nullable String zone(@Nullable Node node) {
        return node == null ? null : Slices.copy(node.getMetadata().getLabels()).getOrDefault(SliceEndpoints.ZONE, "");
    }

    private static void giveOwnerUid(EndpointSlice slice) {
        slice.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getUid().isEmpty())
                .forEach(owner -> owner.setUid("none"));
    }

    /** Which endpoint goes into which of several slices is a matter of chance in Go; how many go there is not. */
    private static void assertWritten(SliceChanges changes, Service service, UpstreamCase call) {
        List<EndpointSlice> created = written(call, "create");
        List<EndpointSlice> updated = written(call, "update");
        List<EndpointSlice> ours = service.getMetadata().getDeletionTimestamp() == null ? changes.create : List.of();
        assertThat(sizes(ours)).isEqualTo(sizes(created));
        assertThat(sizes(changes.update)).isEqualTo(sizes(updated));
        assertThat(endpoints(ours, changes.update)).isEqualTo(endpoints(created, updated));
        assertThat(HintReplays.zones(ours)).isEqualTo(HintReplays.zones(created));
        assertThat(HintReplays.zones(changes.update)).isEqualTo(HintReplays.zones(updated));
        assertThat(annotations(ours)).isEqualTo(annotations(created));
        assertThat(changes.delete.stream().map(EndpointSliceReplays::name))
                .containsExactlyInAnyOrderElementsOf(call.actions("delete", "endpointslices").stream()
                        .map(action -> action.get("name").asText())
                        .toList());
    }

    private static List<EndpointSlice> written(UpstreamCase call, String verb) {
        return call.actions(verb, "endpointslices").stream()
                .map(action -> UpstreamCase.read(action.get("object"), EndpointSlice.class))
                .toList();
    }

    private static List<String> sizes(Collection<EndpointSlice> slices) {
        return slices.stream()
                .map(slice -> slice.getAddressType() + " "
                        + SliceEndpoints.sorted(slice.getPorts()).stream()
                                .map(port -> json(port).toString())
                                .toList()
                        + " " + slice.getEndpoints().size() + " "
                        + new TreeMap<>(Slices.copy(slice.getMetadata().getLabels())))
                .sorted()
                .toList();
    }

    private static List<String> endpoints(Collection<EndpointSlice> some, Collection<EndpointSlice> others) {
        List<EndpointSlice> all = new ArrayList<>(some);
        all.addAll(others);
        return all.stream()
                .flatMap(slice -> slice.getEndpoints().stream())
                .map(endpoint -> json(endpoint).toString().replaceAll("\"hints\":\\{[^}]*}]},", ""))
                .sorted()
                .toList();
    }

    private static List<Map<String, String>> annotations(Collection<EndpointSlice> slices) {
        return slices.stream()
                .map(slice ->
                        UpstreamCase.withComparableTimes(slice.getMetadata().getAnnotations()))
                .toList();
    }

    private static @Nullable String name(@Nullable EndpointSlice slice) {
        return slice == null ? null : slice.getMetadata().getName();
    }
}
