package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.manager.ManagerStartException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns the first-day mistakes (no cluster, a bad token, no rights, a wrong property) into advice. */
final class OperatorFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    /** For the factories file. */
    OperatorFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable cause) {
        InvalidOperatorPropertyException property = findCause(rootFailure, InvalidOperatorPropertyException.class);
        if (property != null) {
            return new FailureAnalysis(property.getMessage(), "Correct the property " + property.property(), property);
        }
        ManagerStartException start = findCause(rootFailure, ManagerStartException.class);
        if (start != null) {
            return new FailureAnalysis(start.getMessage(), advice(rootFailure), start);
        }
        ConnectionException connection = findCause(rootFailure, ConnectionException.class);
        return connection == null ? null : new FailureAnalysis(connection.getMessage(), advice(connection), connection);
    }

    private String advice(Throwable failure) {
        if (findCause(failure, UnauthorizedException.class) != null) {
            return "The API server did not accept the operator's credentials. Look at the token or certificate in the"
                    + " kubeconfig (KUBECONFIG or reconciler4j.client.kubeconfig), or at the pod's service account.";
        }
        if (findCause(failure, ForbiddenException.class) != null) {
            return "Give the operator's account the right named above, with a Role or ClusterRole bound to it.";
        }
        if (findCause(failure, ConnectionException.class) != null) {
            return "Check that the API server runs and that its address is the right one: KUBECONFIG or"
                    + " reconciler4j.client.kubeconfig and reconciler4j.client.context. reconciler4j.api-server-timeout says how long"
                    + " to wait for it.";
        }
        return "Mend what is named above and start the operator again.";
    }
}
