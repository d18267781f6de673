/** A Spring Boot application that runs Kubernetes' own controllers of {@code reconciler4j-controllers}. */
@NullMarked
package io.github.reconciler4j.sample.controllers;

import org.jspecify.annotations.NullMarked;
