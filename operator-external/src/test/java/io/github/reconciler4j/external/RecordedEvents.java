package io.github.reconciler4j.external;

import io.github.reconciler4j.recorder.EventEntry;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.ArrayList;
import java.util.List;

/** Keeps the events. For one thread. */
final class RecordedEvents implements EventRecorder {

    final List<String> lines = new ArrayList<>();

    @Override
    public void record(EventEntry entry) {
        lines.add(entry.type() + " " + entry.reason() + " " + entry.action() + ": " + entry.note());
    }
}
