package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Gives each pod an address of the network of its node. Addresses are not used again. Safe for use by many threads. */
final class PodAddresses {

    private static final int HOSTS = 254;
    private static final int NETWORKS = 256;

    private final Map<String, Network> networks = new ConcurrentHashMap<>();

    /** The network of a node, and how many addresses are used. */
    private record Network(int number, int used) {}

    /** Return an unused address. */
    String next(String node) {
        Network now;
        synchronized (networks) {
            Network before = networks.getOrDefault(node, new Network(networks.size(), 0));
            now = new Network(before.number(), before.used() + 1);
            networks.put(node, now);
        }
        int index = now.used() - 1;
        return "10." + (244 + index / HOSTS % 12) + "." + now.number() % NETWORKS + "." + (index % HOSTS + 1);
    }
}
