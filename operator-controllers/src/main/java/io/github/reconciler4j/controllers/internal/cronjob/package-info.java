/** The CronJob controller: creates Jobs at the times of a schedule. */
@NullMarked
package io.github.reconciler4j.controllers.internal.cronjob;

import org.jspecify.annotations.NullMarked;
