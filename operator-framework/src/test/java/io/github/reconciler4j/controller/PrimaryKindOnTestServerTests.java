package io.github.reconciler4j.controller;

/** The promises about primary kinds, verified against the API server inside the JVM. */
class PrimaryKindOnTestServerTests extends ControllerTestServerFixture implements PrimaryKindPromises {}
