/** Access to the actuator endpoints as the API server decides it. */
@NullMarked
package io.github.reconciler4j.spring.autoconfigure.management;

import org.jspecify.annotations.NullMarked;
