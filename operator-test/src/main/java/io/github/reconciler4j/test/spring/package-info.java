/** Gives Spring Boot tests a cluster and wires the application's client to it. Spring is optional for the rest. */
@NullMarked
package io.github.reconciler4j.test.spring;

import org.jspecify.annotations.NullMarked;
