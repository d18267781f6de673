package io.github.reconciler4j.controllers.internal.endpoints;

import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.EndpointSubsetBuilder;
import java.util.ArrayList;
import java.util.List;

/** Keeps Endpoints objects from growing beyond 1,000 addresses: everything that watches them gets all of them. */
final class Capacity {

    static final int MAX_ADDRESSES = 1000;
    static final String ANNOTATION = "endpoints.kubernetes.io/over-capacity";
    static final String TRUNCATED = "truncated";

    private Capacity() {}

    static boolean isExceeded(List<EndpointSubset> subsets) {
        return subsets.stream()
                        .mapToInt(subset -> subset.getAddresses().size()
                                + subset.getNotReadyAddresses().size())
                        .sum()
                > MAX_ADDRESSES;
    }

    /** Drop addresses until they fit: those that are not ready first, and from each subset in proportion to its size. */
    static List<EndpointSubset> truncated(List<EndpointSubset> subsets) {
        if (!isExceeded(subsets)) {
            return subsets;
        }
        int ready = subsets.stream().mapToInt(s -> s.getAddresses().size()).sum();
        int notReady =
                subsets.stream().mapToInt(s -> s.getNotReadyAddresses().size()).sum();
        boolean onlyReady = ready > MAX_ADDRESSES;
        int room = onlyReady ? MAX_ADDRESSES : MAX_ADDRESSES - ready;
        int total = onlyReady ? ready : notReady;
        int left = room;
        List<EndpointSubset> truncated = new ArrayList<>();
        for (EndpointSubset subset : subsets) {
            List<EndpointAddress> addresses = onlyReady ? subset.getAddresses() : subset.getNotReadyAddresses();
            int share = (int) Math.ceil((double) addresses.size() / total * room);
            List<EndpointAddress> kept = addresses.subList(0, Math.min(addresses.size(), Math.min(share, left)));
            left -= kept.size();
            truncated.add(new EndpointSubsetBuilder(subset)
                    .withAddresses(onlyReady ? kept : subset.getAddresses())
                    .withNotReadyAddresses(onlyReady ? List.of() : kept)
                    .build());
        }
        return truncated;
    }
}
