package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.PermissionReport;
import io.github.reconciler4j.manager.Preflight;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports at start which rights are missing, before the caches run into it. */
final class PreflightComponent implements ManagedComponent {

    static final String NAME = "preflight";

    private static final Logger LOG = LoggerFactory.getLogger(PreflightComponent.class);

    private final Preflight mode;
    private final String roleName;
    private final Supplier<PermissionReport> review;

    PreflightComponent(Preflight mode, String roleName, Supplier<PermissionReport> review) {
        this.mode = mode;
        this.roleName = roleName;
        this.review = review;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StartGroup group() {
        return StartGroup.SERVERS;
    }

    @Override
    public void start() {
        if (mode == Preflight.OFF) {
            return;
        }
        PermissionReport report = review.get();
        if (!report.problem().isEmpty()) {
            LOG.warn("The API server could not be asked for the rights of this operator: {}", report.problem());
        }
        if (report.isComplete()) {
            return;
        }
        String text = "rights are missing on the API server:\n" + report.table()
                + "Add them to the role of this operator's ServiceAccount, or add these:\n" + report.yaml(roleName);
        if (mode == Preflight.FAIL) {
            throw new IllegalStateException(text);
        }
        LOG.warn("Preflight: {}", text);
    }

    @Override
    public void stop(Duration grace) {
        // Nothing is running.
    }
}
