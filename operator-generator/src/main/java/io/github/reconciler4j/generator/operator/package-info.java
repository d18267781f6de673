/**
 * What an operator needs in a cluster, read from the operator itself: its application context is created without a
 * cluster, and its manager says which permissions and leases its components need.
 */
@NullMarked
package io.github.reconciler4j.generator.operator;

import org.jspecify.annotations.NullMarked;
