package io.github.reconciler4j.controllers.internal.endpoints;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.EndpointPort;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of its Endpoints controller. */
public final class EndpointsReplays {

    private EndpointsReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        replays.replay(
                "endpoints.RepackSubsets",
                call -> assertThat(normalized(Subsets.pack(call.list("subsets", EndpointSubset.class))))
                        .isEqualTo(normalized(call.outList(0, EndpointSubset.class))));
        replays.replay("endpoint.podToEndpointAddressForService", call -> {
            EndpointAddress address = EndpointsObjects.address(call.in("svc", Service.class), call.in("pod", Pod.class))
                    .orElse(null);
            EndpointAddress expected = call.out(0, EndpointAddress.class);
            if (address != null) {
                address.setHostname(null); // which the caller adds in Go
            }
            assertThat(json(address)).isEqualTo(json(expected));
        });
        replays.replay(
                "endpoint.endpointPortFromServicePort",
                call -> assertThat(json(EndpointsObjects.port(
                                call.in("servicePort", ServicePort.class), call.number("portNum"))))
                        .isEqualTo(json(call.out(0, EndpointPort.class))));
        replays.replay("endpoint.truncateEndpoints", call -> {
            Endpoints endpoints = call.in("endpoints", Endpoints.class);
            assertThat(Capacity.isExceeded(endpoints.getSubsets()))
                    .isEqualTo(call.out(0).asBoolean());
            assertThat(Capacity.truncated(endpoints.getSubsets()))
                    .isEqualTo(call.after("endpoints", Endpoints.class).getSubsets());
        });
        comparisons(replays);
        replays.replay("endpoint.Controller.syncService", EndpointsReplays::replaySync);
        replays.except(
                "endpoint.Controller.syncService",
                call -> service(call) == null
                        || (!call.out(0).isNull() && call.note("written").isMissingNode()),
                "what becomes of deleted Services and of stale caches needs a client");
        return replays;
    }

    private static void comparisons(Replays replays) {
        replays.replay(
                "endpoint.capacityAnnotationSetCorrectly",
                call -> assertThat(EndpointsObjects.capacityIsCurrent(
                                UpstreamCase.readMap(call.in("annotations"), String.class),
                                call.list("subsets", EndpointSubset.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "endpoint.labelsCorrectForEndpoints",
                call -> assertThat(EndpointsObjects.labelsAreCurrent(
                                UpstreamCase.readMap(call.in("epLabels"), String.class),
                                UpstreamCase.readMap(call.in("svcLabels"), String.class)))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "endpoint.endpointSubsetsEqualIgnoreResourceVersion",
                call -> assertThat(EndpointsObjects.areEqual(
                                call.list("subsets1", EndpointSubset.class),
                                call.list("subsets2", EndpointSubset.class)))
                        .isEqualTo(call.out(0).asBoolean()));
    }

    private static void replaySync(UpstreamCase call) {
        Service service = service(call);
        boolean selectsAll = ServicePods.selector(service).isEmpty()
                && !call.note("triggerTime").isMissingNode();
        if (selectsAll) { // by an empty selector, which JSON cannot distinguish from a missing one
            service.getSpec().setSelector(Map.of("every", "pod"));
        }
        Optional<Endpoints> written = ServicePods.hasEndpoints(service)
                ? EndpointsObjects.toWrite(
                        service,
                        pods(call, service, selectsAll),
                        current(call),
                        Times.parse(call.note("triggerTime").asText(null)))
                : Optional.empty();
        Endpoints expected = UpstreamCase.read(call.note("written").path("endpoints"), Endpoints.class);
        assertThat(written.isPresent()).isEqualTo(expected != null);
        if (expected != null) {
            assertThat(normalized(written.get().getSubsets())).isEqualTo(normalized(expected.getSubsets()));
            assertThat(map(written.get().getMetadata().getLabels()))
                    .isEqualTo(map(expected.getMetadata().getLabels()));
            assertThat(UpstreamCase.withComparableTimes(
                            written.get().getMetadata().getAnnotations()))
                    .isEqualTo(UpstreamCase.withComparableTimes(
                            expected.getMetadata().getAnnotations()));
        }
    }

    private static @Nullable Service service(UpstreamCase call) {
        return call.notes("services", Service.class).stream()
                .filter(service -> key(service).equals(call.in("key").asText()))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Endpoints current(UpstreamCase call) {
        return call.notes("endpointsList", Endpoints.class).stream()
                .filter(endpoints -> key(endpoints).equals(call.in("key").asText()))
                .findFirst()
                .orElse(null);
    }

    private static List<Pod> pods(UpstreamCase call, Service service, boolean all) {
        return call.notes("pods", Pod.class).stream()
                .filter(pod -> pod.getMetadata()
                        .getNamespace()
                        .equals(service.getMetadata().getNamespace()))
                .filter(pod ->
                        all || ServicePods.selects(service, pod.getMetadata().getLabels()))
                .toList();
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    private static Map<String, String> map(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }

    /** Subsets and ports are sorted by hashes in Go, which are no others' business. */
    private static List<String> normalized(List<EndpointSubset> subsets) {
        return subsets.stream()
                .map(subset -> {
                    subset.setPorts(subset.getPorts().stream()
                            .sorted(Comparator.comparing(EndpointPort::toString))
                            .toList());
                    return json(subset).toString();
                })
                .sorted()
                .toList();
    }
}
