package io.github.reconciler4j.manager;

/**
 * Default settings of the components of one kind, such as the controllers of a manager. The manager carries them in its
 * {@link ManagerOptions#withComponentDefaults options}; code that creates the components reads them from there.
 *
 * <p>Implementations are immutable.
 *
 * @since 0.1.0
 */
public interface ComponentDefaults {}
