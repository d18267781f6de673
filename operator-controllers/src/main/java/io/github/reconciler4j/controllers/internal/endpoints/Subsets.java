package io.github.reconciler4j.controllers.internal.endpoints;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.EndpointPort;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.EndpointSubsetBuilder;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs addresses into as few subsets as possible: a subset is a set of ports that the same addresses serve, each of
 * them ready or not ready.
 */
final class Subsets {

    /** Addresses are the same if both are the same: pods on the network of their node share its address. */
    private record AddressKey(String ip, @Nullable String uid) {
        static AddressKey of(EndpointAddress address) {
            return new AddressKey(
                    address.getIp(),
                    address.getTargetRef() == null
                            ? null
                            : address.getTargetRef().getUid());
        }
    }

    private static final Comparator<EndpointAddress> BY_IP_AND_UID = comparing(EndpointAddress::getIp)
            .thenComparing(address -> AddressKey.of(address).uid(), nullsFirst(naturalOrder()));

    private static final Comparator<EndpointPort> BY_NAME_AND_NUMBER = comparing(
                    EndpointPort::getName, nullsFirst(naturalOrder()))
            .thenComparing(EndpointPort::getPort, nullsFirst(naturalOrder()))
            .thenComparing(EndpointPort::getProtocol, nullsFirst(naturalOrder()))
            .thenComparing(EndpointPort::getAppProtocol, nullsFirst(naturalOrder()));

    private final Map<AddressKey, EndpointAddress> addresses = new HashMap<>();

    /** By port, or by {@code null} for addresses without ports: whether each address is ready. */
    private final Map<@Nullable EndpointPort, Map<AddressKey, Boolean>> ready = new LinkedHashMap<>();

    private Subsets() {}

    /** Return subsets with the same addresses and ports in canonical form. */
    static List<EndpointSubset> pack(Collection<EndpointSubset> subsets) {
        Subsets packing = new Subsets();
        for (EndpointSubset subset : subsets) {
            List<@Nullable EndpointPort> ports = new ArrayList<>(subset.getPorts());
            if (ports.isEmpty()) {
                ports.add(null);
            }
            for (EndpointPort port : ports) {
                subset.getAddresses().forEach(address -> packing.add(port, address, true));
                subset.getNotReadyAddresses().forEach(address -> packing.add(port, address, false));
            }
        }
        return packing.packed();
    }

    /** Add an address that serves a port. It is ready only if all subsets agree. */
    private void add(@Nullable EndpointPort port, EndpointAddress address, boolean isReady) {
        AddressKey key = AddressKey.of(address);
        addresses.putIfAbsent(key, address);
        ready.computeIfAbsent(port, p -> new HashMap<>()).merge(key, isReady, Boolean::logicalAnd);
    }

    private List<EndpointSubset> packed() {
        Map<Map<AddressKey, Boolean>, List<EndpointPort>> portsByAddresses = new LinkedHashMap<>();
        ready.forEach((port, readiness) -> {
            List<EndpointPort> ports = portsByAddresses.computeIfAbsent(readiness, r -> new ArrayList<>());
            if (port != null && Numbers.orZero(port.getPort()) > 0) {
                ports.add(port);
            }
        });
        List<EndpointSubset> packed = new ArrayList<>();
        portsByAddresses.forEach((readiness, ports) -> packed.add(new EndpointSubsetBuilder()
                .withAddresses(those(readiness, true))
                .withNotReadyAddresses(those(readiness, false))
                .withPorts(ports.stream().sorted(BY_NAME_AND_NUMBER).toList())
                .build()));
        packed.sort(comparing(EndpointSubset::toString));
        return packed;
    }

    private List<EndpointAddress> those(Map<AddressKey, Boolean> readiness, boolean wanted) {
        return readiness.entrySet().stream()
                .filter(entry -> entry.getValue() == wanted)
                .map(entry -> addresses.get(entry.getKey()))
                .sorted(BY_IP_AND_UID)
                .toList();
    }
}
