package io.github.reconciler4j.recorder;

/** Where events are written. Used by one thread at a time. */
interface EventSink {

    /**
     * Creates the event of a series.
     *
     * @return its name
     * @throws io.github.reconciler4j.client.error.ApiException if it cannot be created
     */
    String create(EventSeries series);

    /**
     * Writes count and last time of a series.
     *
     * @throws io.github.reconciler4j.client.error.NotFoundException if the event is gone
     * @throws io.github.reconciler4j.client.error.ApiException if it cannot be written
     */
    void update(EventSeries series);
}
