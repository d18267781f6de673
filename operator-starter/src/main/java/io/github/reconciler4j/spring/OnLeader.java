package io.github.reconciler4j.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a {@code @Scheduled} method run on the replica that leads, and on no other. Any call of the method through the bean returns at
 * once while this replica does not lead: on a standby, before the operator has started, while it stops, and if the operator is
 * disabled. Without leader election, the replica leads from its start to its stop. {@code @Scheduled} methods without this
 * annotation run on each replica.
 *
 * <p>A run that is in progress when the lease is lost continues, but the {@code Client} refuses its writes. What it writes elsewhere
 * is not guarded.
 *
 * <p>The bean gets a proxy. The method must have the annotation {@code @Scheduled} and return {@code void}, and neither it nor the
 * class can be {@code final} or {@code private}; otherwise, the application does not start.
 *
 * <!-- snippet: ScheduledBeans -->
 * <pre>{@code
 * @OnLeader
 * @Scheduled(cron = "0 0 6 * * *")
 * void send() {}
 * }</pre>
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OnLeader {}
