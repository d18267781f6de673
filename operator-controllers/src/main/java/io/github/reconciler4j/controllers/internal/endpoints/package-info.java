/** The Endpoints controller: lists the pods behind a Service in an Endpoints object. */
@NullMarked
package io.github.reconciler4j.controllers.internal.endpoints;

import org.jspecify.annotations.NullMarked;
