/** The service by which the annotations of tests find this module. */
@NullMarked
package io.github.reconciler4j.test.fullcluster.internal.service;

import org.jspecify.annotations.NullMarked;
