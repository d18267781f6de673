package io.github.reconciler4j.recorder;

/** Writes events. Confined to one thread. */
interface EventSink {

    /**
     * Create the event of a series.
     *
     * @return its name
     * @throws io.github.reconciler4j.client.error.ApiException if it cannot be created
     */
    String create(EventSeries series);

    /**
     * Write the count and the last time of a series.
     *
     * @throws io.github.reconciler4j.client.error.NotFoundException if the event does not exist any more
     * @throws io.github.reconciler4j.client.error.ApiException if it cannot be written
     */
    void update(EventSeries series);
}
