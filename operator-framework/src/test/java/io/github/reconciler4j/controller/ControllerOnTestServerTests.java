package io.github.reconciler4j.controller;

/** The promises of controllers, held against the server inside the JVM. */
class ControllerOnTestServerTests extends ControllerTestServerFixture implements ControllerPromises {}
