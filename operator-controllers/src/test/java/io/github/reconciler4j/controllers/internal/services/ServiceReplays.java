package io.github.reconciler4j.controllers.internal.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of what Kubernetes' Endpoints and EndpointSlice controllers share. */
public final class ServiceReplays {

    private static final String UTIL = "endpointslice/util.";

    private ServiceReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        pods(replays);
        changes(replays);
        replays.replay(UTIL + "TriggerTimeTracker.ComputeEndpointLastChangeTriggerTime", call -> {
            Map<String, TriggerTimes.State> states = new TreeMap<>();
            call.note("state")
                    .properties()
                    .forEach(state -> states.put(
                            key(state.getKey()),
                            new TriggerTimes.State(
                                    time(state.getValue().get("lastServiceTriggerTime")),
                                    times(state.getValue().get("lastPodTriggerTimes")))));
            Service service = call.in("service", Service.class);
            service.getMetadata().setNamespace(call.in("namespace").asText());
            Instant trigger = new TriggerTimes(states).next(service, call.list("pods", Pod.class));
            assertThat(trigger).isEqualTo(time(call.out(0)));
        });
        return replays;
    }

    /** Go prints the key of the map as {@code {namespace name}}. */
    private static String key(String printed) {
        return printed.substring(1, printed.length() - 1).replaceFirst(" ", "/");
    }

    private static @Nullable Instant time(JsonNode node) {
        return node.isNull() ? null : Times.parse(node.asText());
    }

    private static Map<String, Instant> times(JsonNode node) {
        Map<String, Instant> times = new TreeMap<>();
        node.properties()
                .forEach(pod ->
                        times.put(pod.getKey(), Times.parse(pod.getValue().asText())));
        return times;
    }

    private static void pods(Replays replays) {
        replays.replay(
                UTIL + "ShouldPodBeInEndpoints",
                call -> assertThat(ServicePods.canServe(
                                call.in("pod", Pod.class),
                                call.in("includeTerminating").asBoolean()))
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                UTIL + "ShouldSetHostname",
                call -> assertThat(
                                ServicePods.hostname(call.in("pod", Pod.class), call.in("svc", Service.class)) != null)
                        .isEqualTo(call.out(0).asBoolean()));
        replays.replay(
                "endpointslice.FindPort",
                call -> assertThat(
                                ServicePods.findPort(call.in("pod", Pod.class), call.in("svcPort", ServicePort.class)))
                        .isEqualTo(
                                call.out(1).isNull()
                                        ? OptionalInt.of(call.out(0).asInt())
                                        : OptionalInt.empty()));
    }

    private static void changes(Replays replays) {
        replays.replay(UTIL + "podEndpointsChanged", call -> {
            PodChange change = PodChange.between(call.in("oldPod", Pod.class), call.in("newPod", Pod.class));
            assertThat(change.addressChanged()).isEqualTo(call.out(0).asBoolean());
            assertThat(change.before() != null).isEqualTo(call.out(1).asBoolean());
        });
        replays.replay(UTIL + "GetPodUpdateProjectionKey", call -> {
            Pod before = call.in("oldObj", Pod.class);
            Pod after = call.in("newObj", Pod.class);
            PodChange change = PodChange.between(before, after);
            assertThat(change.isRelevant()).isEqualTo(!call.out(0).isNull());
            if (change.isRelevant()) {
                assertThat(change.after()).isEqualTo(labels(call.out(0).get("Labels")));
                assertThat(change.before())
                        .isEqualTo(
                                call.out(0).get("OldLabels").isNull()
                                        ? null
                                        : labels(call.out(0).get("OldLabels")));
            }
        });
        replays.replay(UTIL + "GetServicesToUpdate", call -> {
            JsonNode key = call.in("key");
            PodChange change = new PodChange(
                    key.get("OldLabels").isNull() ? null : labels(key.get("OldLabels")),
                    labels(key.get("Labels")),
                    key.get("PodChanged").asBoolean());
            assertThat(names(change.affected(call.notes("services", Service.class))))
                    .containsExactlyInAnyOrderElementsOf(UpstreamCase.readList(call.out(0), String.class));
        });
        replays.replay(UTIL + "determineNeededServiceUpdates", ServiceReplays::replayNeededUpdates);
    }

    /** The table names the Services before and after; here they are ones that select {@code before} and {@code after}. */
    private static void replayNeededUpdates(UpstreamCase call) {
        List<String> before = UpstreamCase.readList(call.in("oldServices"), String.class);
        List<String> after = UpstreamCase.readList(call.in("services"), String.class);
        List<Service> services = new ArrayList<>();
        before.stream().filter(name -> !after.contains(name)).forEach(name -> services.add(service(name, "before")));
        after.stream().filter(name -> !before.contains(name)).forEach(name -> services.add(service(name, "after")));
        before.stream().filter(after::contains).forEach(name -> services.add(service(name, "both")));
        PodChange change = new PodChange(
                Map.of("before", "", "both", ""),
                Map.of("after", "", "both", ""),
                call.in("podChanged").asBoolean());
        assertThat(change.affected(services).stream().map(s -> s.getMetadata().getName()))
                .containsExactlyInAnyOrderElementsOf(UpstreamCase.readList(call.out(0), String.class));
    }

    private static Service service(String name, String label) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addToSelector(label, "")
                .endSpec()
                .build();
    }

    private static Map<String, String> labels(JsonNode node) {
        return UpstreamCase.readMap(node, String.class);
    }

    private static List<String> names(List<Service> services) {
        return services.stream()
                .map(service -> service.getMetadata().getNamespace() + "/"
                        + service.getMetadata().getName())
                .toList();
    }
}
