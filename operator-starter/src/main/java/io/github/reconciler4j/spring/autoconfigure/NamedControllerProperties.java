package io.github.reconciler4j.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one controller, which come before those of all.
 *
 * @since 0.1.0
 */
public class NamedControllerProperties extends ControllerProperties {

    /** Whether the controller runs; what reconciler4j.enabled-controllers and its annotation say unless set. */
    private @Nullable Boolean enabled;

    /** Time between two repetitions of every object of the reconciled kind to this controller; none unless set. */
    private @Nullable Duration resync;

    /** Creates settings that change nothing. */
    public NamedControllerProperties() {}

    /** Whether the controller runs; null leaves it to the list of controllers and the annotation. */
    public @Nullable Boolean getEnabled() {
        return enabled;
    }

    /** Sets whether the controller runs. */
    public void setEnabled(@Nullable Boolean enabled) {
        this.enabled = enabled;
    }

    /** The time between two resyncs of this controller beside those of the cache, null for none. */
    public @Nullable Duration getResync() {
        return resync;
    }

    /** Sets the time between two resyncs of this controller. */
    public void setResync(@Nullable Duration resync) {
        this.resync = resync;
    }
}
