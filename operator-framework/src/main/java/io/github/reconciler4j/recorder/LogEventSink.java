package io.github.reconciler4j.recorder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs events instead of writing them, for an operator that must change nothing. */
final class LogEventSink implements EventSink {

    private static final Logger LOG = LoggerFactory.getLogger(LogEventSink.class);

    @Override
    public String create(EventSeries series) {
        log(series);
        return "logged";
    }

    @Override
    public void update(EventSeries series) {
        log(series);
    }

    private static void log(EventSeries series) {
        PendingEvent event = series.first();
        LOG.info(
                "Would record about {} {}/{}: {} {} {} ({} times)",
                event.regarding().kind(),
                event.regarding().namespace(),
                event.regarding().name(),
                event.type(),
                event.reason(),
                event.note(),
                series.count());
    }
}
