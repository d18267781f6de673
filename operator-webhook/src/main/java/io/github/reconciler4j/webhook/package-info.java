/**
 * Admission and conversion webhooks.
 *
 * <p>A {@link io.github.reconciler4j.webhook.Validator} denies objects, a {@link io.github.reconciler4j.webhook.Defaulter}
 * changes them before they are stored, and a {@link io.github.reconciler4j.webhook.Converter} converts them between versions.
 * {@link io.github.reconciler4j.webhook.Webhooks} collects them, and a {@link io.github.reconciler4j.webhook.WebhookServer}
 * serves them as a component of a manager. With the starter they are beans.
 *
 * <h2>Design</h2>
 *
 * <p><b>A module of its own.</b> The module adds an HTTPS listener and the X.509 code of Bouncy Castle. An operator without
 * webhooks has neither.
 *
 * <p><b>Protocol.</b> An endpoint turns a review into a review and knows no HTTP. Only {@code v1} reviews are accepted. The
 * response has the UID of the request. There are three outcomes, and the difference matters to the failure policy:
 *
 * <ul>
 *   <li>Denials are reviews. Problems with fields make a status 422 with causes, other denials a status 403. An object that
 *       does not fit its class is denied with status 400 and the path of the field.
 *   <li>Failures of the operator's code are HTTP errors (500, 503 and 504), so that {@code failurePolicy: Ignore} applies. The
 *       user gets the ID of an entry in the log, never a stack trace or the content of an object.
 *   <li>What the API server cannot have sent is an HTTP error 400 to 415.
 * </ul>
 *
 * <p><b>Defaulters lose nothing.</b> A class rarely has all fields of an object, and encoding changes the notation of some. So
 * the object is encoded before and after the defaulter runs. The differences alone are applied to the object as received, and
 * a patch leads from there to the result. Elements of lists keep their unknown fields, because they are matched by equality,
 * then by name, then by position. If the defaulter changes nothing, there is no patch.
 *
 * <p><b>Conversions lose nothing.</b> Each step is converted back. If that loses something, the source is kept in an
 * annotation, and the way back applies to it, in the same manner, what has changed in the meantime.
 *
 * <p><b>Calls end in time.</b> Code of the operator runs on threads of its own, is interrupted before the API server stops
 * waiting, and runs in a {@link io.github.reconciler4j.client.DryRunScope} if the request is a dry run.
 *
 * <p><b>Server.</b> The API server speaks HTTP/1.1 to services, on few connections that it keeps open. The listener uses
 * blocking sockets and the HTTP parser of HttpCore, which the client depends on already. Each connection has a thread, each
 * phase of it a time limit, and a flood closes the connections without a request. The HTTP server of the JDK has no limits for
 * single connections; servlet containers would be the largest dependency of the framework. The server starts before the caches,
 * whose lists may need a conversion, and runs on every replica. At a stop it first answers while it closes the connections, until
 * endpoints have been updated.
 *
 * <p><b>Certificates.</b> A {@link io.github.reconciler4j.webhook.CertificateSource} hands a certificate to the server, now and
 * whenever it has a new one. Handshakes use the latest, and open connections continue.
 *
 * <ol>
 *   <li>By default the replicas share a certificate authority in a Secret. The first one creates it, and the
 *       resourceVersion of an update decides who changes it. Each replica issues its own server certificate and keeps it in
 *       memory. A new authority is published beside the old one, in the Secret and in every {@code caBundle}; it issues
 *       certificates only when all of them contain it; the old one is removed when its last certificate has been replaced. Only
 *       the field {@code caBundle} is applied, with a field manager of its own.
 *   <li>Files that change, as those of cert-manager.
 *   <li>An SSL bundle of Spring Boot.
 * </ol>
 *
 * <p>All times are those of the wall clock, compared once a minute, because a suspended machine misses timers.
 */
@NullMarked
package io.github.reconciler4j.webhook;

import org.jspecify.annotations.NullMarked;
