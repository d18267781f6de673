package io.github.reconciler4j.leaderelection;

/** Is told what happens on the way of an {@link Election}, and asked what it cannot know. */
interface ElectionListener {

    /** The lease had to be read because what was known of it was not enough. */
    void slowPath();

    /** Somebody holds the lease who was not seen holding it before. */
    void newHolder(String holder);

    /** How many other leases this replica holds; each lets others go first once when a lease is free. */
    int otherLeases();
}
