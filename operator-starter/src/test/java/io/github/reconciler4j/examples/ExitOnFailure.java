package io.github.reconciler4j.examples;

import io.github.reconciler4j.spring.OperatorFailedEvent;
import org.springframework.context.event.EventListener;

/** Ends the process with an exit code when the operator has failed. */
class ExitOnFailure {

    @EventListener
    void operatorFailed(OperatorFailedEvent event) {
        System.exit(1);
    }
}
