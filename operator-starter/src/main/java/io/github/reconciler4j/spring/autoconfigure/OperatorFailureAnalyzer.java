package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.manager.ManagerStartException;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.support.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains why the operator does not start: a library of another version, a wrong configuration, no cluster, invalid credentials, missing permissions. Ahead of
 * the analyzers of Spring Boot, which would explain a cause, such as a failure to bind, without the bean or property that has it.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class OperatorFailureAnalyzer extends AbstractFailureAnalyzer<Throwable> {

    OperatorFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, Throwable cause) {
        UnsupportedVersionException version = findCause(rootFailure, UnsupportedVersionException.class);
        if (version != null) {
            return new FailureAnalysis(version.problem() + ".", version.fix() + ".", version);
        }
        OperatorConfigurationException configuration = findCause(rootFailure, OperatorConfigurationException.class);
        if (configuration != null) {
            return new FailureAnalysis(configuration.getMessage(), configuration.action(), configuration);
        }
        ManagerStartException start = findCause(rootFailure, ManagerStartException.class);
        if (start != null) {
            return new FailureAnalysis(start.getMessage(), action(rootFailure), start);
        }
        ConnectionException connection = findCause(rootFailure, ConnectionException.class);
        return connection == null ? null : new FailureAnalysis(connection.getMessage(), action(connection), connection);
    }

    private String action(Throwable failure) {
        if (findCause(failure, UnauthorizedException.class) != null) {
            return "The API server did not accept the credentials of the operator. Check the token or certificate in the"
                    + " kubeconfig (KUBECONFIG or 'reconciler4j.client.kubeconfig'), or the service account of the pod.";
        }
        if (findCause(failure, MissingPermissionsException.class) != null) {
            return "Grant these permissions to the account of the operator. With 'reconciler4j.preflight=report' it starts"
                    + " without them.";
        }
        if (findCause(failure, ForbiddenException.class) != null) {
            return "Grant the permission named above to the account of the operator with a Role or ClusterRole and a"
                    + " binding. (R4J-327)";
        }
        if (findCause(failure, ConnectionException.class) != null) {
            return "Check that the API server is running and that its address is correct (KUBECONFIG,"
                    + " 'reconciler4j.client.kubeconfig' and 'reconciler4j.client.context'). The property"
                    + " 'reconciler4j.api-server-timeout' sets how long to wait for the API server.";
        }
        return "Fix the problem described above and restart the application.";
    }
}
