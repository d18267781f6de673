package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.spring.LeadershipEvent;
import org.springframework.context.ConfigurableApplicationContext;

/** Publishes changes of leadership in the application context. */
final class LeadershipEvents implements LeadershipListener {

    private final Manager manager;
    private final ConfigurableApplicationContext context;

    LeadershipEvents(Manager manager, ConfigurableApplicationContext context) {
        this.manager = manager;
        this.context = context;
    }

    @Override
    public void elected(String lease) {
        publish(new LeadershipEvent(manager, lease, true, ""));
    }

    @Override
    public void lost(String lease, String reason) {
        publish(new LeadershipEvent(manager, lease, false, reason));
    }

    private void publish(LeadershipEvent event) {
        if (context.isActive()) {
            context.publishEvent(event);
        }
    }
}
