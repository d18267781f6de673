package io.github.reconciler4j.brake;

import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.error.ConflictException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** How a controller deletes, why, and where its code runs. */
record BrakeCell(Verb verb, Cause cause, Place place) {

    enum Verb {
        DELETE_OBJECT,
        DELETE_KEY,
        DELETE_EXACTLY,
        DELETE_ALL_OF_NAMESPACE,
        DELETE_ALL_OF_LABEL,
        PRUNE;

        boolean isOfMany() {
            return name().startsWith("DELETE_ALL");
        }
    }

    /** Why a deletion is or is not an accident. */
    enum Cause {
        NONE,
        NOT_CACHED,
        OWNER_IS_FINE,
        OTHER_CONTROLLER_STOPPED,
        OWNER_TERMINATING,
        OWNER_GONE,
        OWNER_REPLACED,
        NAMESPACE_TERMINATING,
        OBJECT_TERMINATING,
        OBJECT_GONE,
        DRY_RUN,
        DRY_RUN_CLIENT,
        OBSERVE_MODE,
        OUTSIDE_OF_CONTROLLERS,
        OTHER_CONTROLLERS,
        REPLACED_AT_ONCE,
        REFUSED_BY_THE_SERVER;

        /** Whether the brake counts the deletions. */
        boolean isCounted() {
            return this == NONE || this == NOT_CACHED || this == OWNER_IS_FINE || this == OTHER_CONTROLLER_STOPPED;
        }

        /** Whether the objects remain, although the brake lets the deletions pass. */
        boolean isWithoutEffect() {
            return this == DRY_RUN
                    || this == DRY_RUN_CLIENT
                    || this == OBSERVE_MODE
                    || this == OBJECT_TERMINATING
                    || this == REPLACED_AT_ONCE
                    || this == REFUSED_BY_THE_SERVER;
        }
    }

    /** Where the code runs, and with which client. */
    enum Place {
        SAME_THREAD,
        THREAD_THAT_INHERITS,
        TWO_WORKERS,
        CLIENT_WITH_FIELD_MANAGER,
        INTERCEPTED_CLIENT,
        /** In a controller that a person has stopped. */
        STOPPED_BEFORE
    }

    /** Causes that depend on what the thread works for. */
    private static final Set<Cause> DECISIVE = EnumSet.of(
            Cause.NONE,
            Cause.OWNER_IS_FINE,
            Cause.OWNER_TERMINATING,
            Cause.OUTSIDE_OF_CONTROLLERS,
            Cause.OTHER_CONTROLLERS,
            Cause.REPLACED_AT_ONCE);

    static Stream<BrakeCell> all() {
        return Arrays.stream(Verb.values())
                .flatMap(verb -> Arrays.stream(Cause.values())
                        .flatMap(
                                cause -> Arrays.stream(Place.values()).map(place -> new BrakeCell(verb, cause, place))))
                .filter(BrakeCell::makesSense);
    }

    private boolean makesSense() {
        boolean isUsual = place == Place.SAME_THREAD || place == Place.TWO_WORKERS;
        if (place == Place.STOPPED_BEFORE || !isUsual && !DECISIVE.contains(cause)) {
            return false;
        }
        return switch (cause) {
            case REPLACED_AT_ONCE, REFUSED_BY_THE_SERVER, OTHER_CONTROLLERS -> !verb.isOfMany();
            default -> true;
        };
    }

    /** The name of the controller and the namespace. */
    String id() {
        String name =
                (verb + "-" + cause + "-" + place).toLowerCase(Locale.ROOT).replace('_', '-');
        return name.substring(0, Math.min(40, name.length())) + "-" + Math.floorMod(name.hashCode(), 100_000);
    }

    /** Run calls in turn, where the cell says. */
    void run(List<Runnable> calls) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        int workers = place == Place.TWO_WORKERS ? 2 : 1;
        for (int worker = 0; worker < workers; worker++) {
            int from = worker;
            Runnable all = () -> {
                for (int each = from; each < calls.size(); each += workers) {
                    calls.get(each).run();
                }
            };
            if (place == Place.THREAD_THAT_INHERITS) {
                scoped(() -> threads.add(new Thread(WorkScope.inherit(all)))).run();
            } else if (place == Place.TWO_WORKERS) {
                threads.add(new Thread(scoped(all)));
            } else {
                scoped(all).run();
            }
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private Runnable scoped(Runnable task) {
        return cause == Cause.OUTSIDE_OF_CONTROLLERS ? task : WorkScope.in(id(), id(), task);
    }

    /** Return whether the brake refuses a deletion. */
    static boolean refuses(Runnable deletion) {
        try {
            deletion.run();
            return false;
        } catch (BrakeException e) {
            return true;
        } catch (ConflictException e) { // the server refuses it
            return false;
        }
    }

    @Override
    public String toString() {
        return verb + " " + cause + " " + place;
    }
}
