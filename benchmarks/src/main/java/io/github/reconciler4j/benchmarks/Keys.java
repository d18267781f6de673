package io.github.reconciler4j.benchmarks;

/** Keys as an operator has them. */
final class Keys {

    private Keys() {}

    /**
     * A namespace and a name.
     *
     * @param namespace one of many
     * @param name unique in the namespace
     */
    record Key(String namespace, String name) {}

    /** So many distinct keys, in 100 namespaces. */
    static Key[] create(int count) {
        Key[] keys = new Key[count];
        for (int i = 0; i < count; i++) {
            keys[i] = new Key("team-" + i % 100, "web-app-" + i);
        }
        return keys;
    }
}
