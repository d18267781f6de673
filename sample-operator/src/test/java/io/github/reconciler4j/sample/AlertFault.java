package io.github.reconciler4j.sample;

import java.util.List;

/**
 * A fault that makes an alert fire, and perhaps others. Immutable.
 *
 * @param name says what happens
 * @param fires the alerts that fire, each with the labels that identify the cause
 * @param minutes how long the fault lasts until they fire
 * @param silentKind the kind about which the operator receives nothing meanwhile, or an empty text
 * @param started injects the fault
 * @param repeated called in each minute of the fault
 * @param ended ends the fault
 */
record AlertFault(
        String name,
        List<String> fires,
        int minutes,
        String silentKind,
        Action started,
        Action repeated,
        Action ended) {

    /** A step of a fault. */
    @FunctionalInterface
    interface Action {
        void run(AlertStage stage) throws Exception;
    }

    static AlertFault of(String name, int minutes, String... fires) {
        return new AlertFault(name, List.of(fires), minutes, "", stage -> {}, stage -> {}, stage -> {});
    }

    AlertFault silencing(String kind) {
        return new AlertFault(name, fires, minutes, kind, started, repeated, ended);
    }

    AlertFault starts(Action action) {
        return new AlertFault(name, fires, minutes, silentKind, action, repeated, ended);
    }

    AlertFault repeats(Action action) {
        return new AlertFault(name, fires, minutes, silentKind, started, action, ended);
    }

    AlertFault ends(Action action) {
        return new AlertFault(name, fires, minutes, silentKind, started, repeated, action);
    }
}
