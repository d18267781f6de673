package io.github.reconciler4j.cache.internal;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Packers to be used again, because each holds about 50 KB. Safe for use by many threads; a few are kept, as many as are
 * needed at once are made.
 */
final class PackerPool {

    private static final int KEPT = 2;

    private final BlockingQueue<Packer> idle = new ArrayBlockingQueue<>(KEPT);

    /** A packer that nobody else uses. */
    Packer take() {
        Packer packer = idle.poll();
        return packer != null ? packer : new Packer();
    }

    /** Takes back a packer; one that failed had better not come back. */
    void giveBack(Packer packer) {
        idle.offer(packer);
    }
}
