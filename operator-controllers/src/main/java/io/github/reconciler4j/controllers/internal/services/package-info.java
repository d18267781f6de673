/** What the Endpoints and the EndpointSlice controller share: which pods are behind a Service, and under which ports. */
@NullMarked
package io.github.reconciler4j.controllers.internal.services;

import org.jspecify.annotations.NullMarked;
