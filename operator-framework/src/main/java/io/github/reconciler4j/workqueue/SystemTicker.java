package io.github.reconciler4j.workqueue;

/** The time of this process. */
enum SystemTicker implements Ticker {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
