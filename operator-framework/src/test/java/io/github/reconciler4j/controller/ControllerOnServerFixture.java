package io.github.reconciler4j.controller;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.Manager;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A manager of a server; subclasses say of which. */
@Timeout(300)
abstract class ControllerOnServerFixture implements ControllerOnServer {

    Manager manager;
    String namespace;
    final List<String> seen = new CopyOnWriteArrayList<>();

    /** The configuration of a user with all permissions. */
    abstract Config config();

    /** Install the definition of Widgets and return the name of a new namespace. */
    abstract String prepare();

    @BeforeEach
    void open() {
        namespace = prepare();
        manager = Manager.create(config());
    }

    @AfterEach
    void close() {
        manager.close();
    }

    @Override
    public Manager manager() {
        return manager;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public List<String> seen() {
        return seen;
    }
}
