package io.github.reconciler4j.manager;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A component that does what a test says, and writes down when it was started and stopped. */
final class FakeComponent implements ManagedComponent {

    private final String name;
    private final StartGroup group;
    private final List<String> journal;
    private String lease = "";
    private Callable<Void> onStart = () -> null;
    private Consumer<Duration> onStop = grace -> {};
    final List<Duration> graces = new CopyOnWriteArrayList<>();

    FakeComponent(String name, StartGroup group, List<String> journal) {
        this.name = name;
        this.group = group;
        this.journal = journal;
    }

    FakeComponent onStart(Callable<Void> action) {
        onStart = action;
        return this;
    }

    FakeComponent failing(Exception failure) {
        return onStart(() -> {
            throw failure;
        });
    }

    FakeComponent onStop(Consumer<Duration> action) {
        onStop = action;
        return this;
    }

    FakeComponent lease(String newLease) {
        lease = newLease;
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public StartGroup group() {
        return group;
    }

    @Override
    public String lease() {
        return lease;
    }

    @Override
    public void start() throws Exception {
        onStart.call();
        journal.add("+" + name);
    }

    @Override
    public void stop(Duration grace) {
        graces.add(grace);
        onStop.accept(grace);
        journal.add("-" + name);
    }
}
