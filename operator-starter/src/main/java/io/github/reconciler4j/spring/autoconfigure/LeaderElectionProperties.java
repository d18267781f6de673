package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how one leader among several replicas is chosen.
 *
 * @since 0.1.0
 */
public class LeaderElectionProperties {

    /** Whether one leader is chosen among several replicas. */
    private boolean enabled;

    /** Name of the Lease; the operator's name unless set. */
    private @Nullable String name;

    /** Namespace of the Lease; the namespace of the pod unless set. */
    private @Nullable String namespace;

    /** Identity of this replica; host name and a random part unless set. */
    private @Nullable String identity;

    /** Labels put on the Lease; none unless set. */
    private Map<String, String> labels = new LinkedHashMap<>();

    /** Time that others wait for a renewal before they take the lease; 15 seconds unless set. */
    private Duration leaseDuration = LeaseTiming.defaults().leaseDuration();

    /** Time that the leader tries to renew before it gives up; 10 seconds unless set. */
    private Duration renewDeadline = LeaseTiming.defaults().renewDeadline();

    /** Time between two tries to take or renew the lease; 2 seconds unless set. */
    private Duration retryPeriod = LeaseTiming.defaults().retryPeriod();

    /** What follows the loss of the lease: the application ends, or stands for election again. */
    private OnLost onLost = OnLost.SHUTDOWN;

    /** Whether the lease is given back at stop. */
    private boolean releaseOnStop = true;

    /** Creates the defaults. */
    public LeaderElectionProperties() {}

    /** The options these settings amount to, empty if there is no leader election. */
    Optional<LeaderElectionOptions> toOptions(String operatorName) {
        if (!enabled) {
            return Optional.empty();
        }
        return Optional.of(LeaderElectionOptions.named(name == null ? operatorName : name)
                .withLeaseNamespace(namespace == null ? "" : namespace)
                .withIdentity(identity == null ? "" : identity)
                .withLabels(labels)
                .withTiming(Setting.of(
                        "reconciler4j.leader-election.lease-duration",
                        () -> LeaseTiming.of(leaseDuration, renewDeadline, retryPeriod)))
                .withOnLost(onLost)
                .withReleaseOnStop(releaseOnStop));
    }

    /** Whether one leader is chosen, false by default. */
    public boolean isEnabled() {
        return enabled;
    }

    /** Sets whether one leader is chosen. */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /** The name of the Lease, null for the operator's name. */
    public @Nullable String getName() {
        return name;
    }

    /** Sets the name of the Lease. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** The namespace of the Lease, null for the pod's. */
    public @Nullable String getNamespace() {
        return namespace;
    }

    /** Sets the namespace of the Lease. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** The identity of this replica, null for host name and a random part. */
    public @Nullable String getIdentity() {
        return identity;
    }

    /** Sets the identity of this replica. */
    public void setIdentity(@Nullable String identity) {
        this.identity = identity;
    }

    /** The labels of the Lease. */
    public Map<String, String> getLabels() {
        return labels;
    }

    /** Sets the labels of the Lease. */
    public void setLabels(Map<String, String> labels) {
        this.labels = labels;
    }

    /** How long others wait for a renewal, 15 seconds by default. */
    public Duration getLeaseDuration() {
        return leaseDuration;
    }

    /** Sets how long others wait for a renewal. */
    public void setLeaseDuration(Duration leaseDuration) {
        this.leaseDuration = leaseDuration;
    }

    /** How long the leader tries to renew, 10 seconds by default. */
    public Duration getRenewDeadline() {
        return renewDeadline;
    }

    /** Sets how long the leader tries to renew. */
    public void setRenewDeadline(Duration renewDeadline) {
        this.renewDeadline = renewDeadline;
    }

    /** The time between two tries, 2 seconds by default. */
    public Duration getRetryPeriod() {
        return retryPeriod;
    }

    /** Sets the time between two tries. */
    public void setRetryPeriod(Duration retryPeriod) {
        this.retryPeriod = retryPeriod;
    }

    /** What follows the loss of the lease, the end of the application by default. */
    public OnLost getOnLost() {
        return onLost;
    }

    /** Sets what follows the loss of the lease. */
    public void setOnLost(OnLost onLost) {
        this.onLost = onLost;
    }

    /** Whether the lease is given back at stop, true by default. */
    public boolean isReleaseOnStop() {
        return releaseOnStop;
    }

    /** Sets whether the lease is given back at stop. */
    public void setReleaseOnStop(boolean releaseOnStop) {
        this.releaseOnStop = releaseOnStop;
    }
}
