package io.github.reconciler4j.controller;

/** The promises about the control of single objects, verified against the API server inside the JVM. */
class ObjectControlOnTestServerTests extends ControllerTestServerFixture implements ObjectControlPromises {}
